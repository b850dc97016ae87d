import { filtered } from './filtered.ts'

/**
 * Keys and tokens that are known by their own form, with the prefix that their maker gave them.
 * @see https://docs.github.com/en/code-security/secret-scanning
 */
const withUnderscore =
  /\b(?:gh[pousr]_\w{16,255}|github_pat_\w{20,255}|[sprw]h?[kc]?_(?:live|test)_\w{8,255}|whsec_[\w+/=]{16,255}|npm_[A-Za-z0-9]{30,64}|hf_[A-Za-z0-9]{30,64}|do[opr]_v1_[0-9a-f]{32,64}|shp(?:at|ca|pa|ss)_[0-9a-f]{32}|gls?[ac]_\w{20,255}|sntry[su]_[\w+/=]{20,512}|lin_api_\w{20,64}|ait_[\w-]{16,128})/g
const withDash =
  /\b(?:glpat-[\w-]{16,64}|xox[a-z]-[\w-]{8,255}|xapp-[\w-]{8,255}|sk-[\w-]{20,255}|pypi-[\w-]{16,255}|GOCSPX-[\w-]{20,64}|sq0[a-z]{3}-[\w-]{20,64}|key-[0-9a-f]{32}|AGE-SECRET-KEY-1[A-Z0-9]{20,80})/g
/** JSON Web Tokens begin with the base64 of `{"`; SendGrid's and Google's have dots too. */
const withDot =
  /\b(?:eyJ[\w-]{5,8192}\.[\w-]{4,16384}(?:\.[\w-]{0,8192}){0,3}|SG\.[\w-]{12,64}\.[\w-]{12,64}|ya29\.[\w-]{10,2048}|hvs\.[\w-]{20,255})/g
/** Amazon, Google, Twilio, Databricks, Telegram. */
const plain =
  /\b(?:A(?:KIA|SIA|GPA|IDA|ROA|NPA|NVA|IPA|BIA|CCA)[A-Z0-9]{16}|AIza[\w-]{30,40}|(?:AC|SK)[0-9a-f]{32}|dapi[0-9a-f]{32}|\d{8,10}:AA[\w-]{33})(?![A-Za-z0-9])/g
const webhook =
  /(hooks\.slack\.com\/(?:services|workflows|triggers)\/|discord(?:app)?\.com\/api\/webhooks\/)[\w/-]{8,255}/g

/** Text without keys and tokens that are known by their form. */
export function scrubTokens(text: string): string {
  let out = text
  if (out.includes('_')) out = out.replace(withUnderscore, filtered)
  if (out.includes('-')) out = out.replace(withDash, filtered)
  if (out.includes('.')) out = out.replace(withDot, filtered)
  if (out.includes('.com/')) out = out.replace(webhook, `$1${filtered}`)
  return /\d/.test(out) ? out.replace(plain, filtered) : out
}
