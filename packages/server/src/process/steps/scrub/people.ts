import { isIPv6 } from 'node:net'

/** Personal data inside text: mail addresses, telephone numbers, network addresses. */

/** These say of what kind it was, so that messages stay grouped as before. */
const mailMark = '[email]'
const phoneMark = '[phone]'
const addressMark = '[ip]'

/** Not `git@host`, nor files and versions: `logo@2x.png`, `app@1.2.3-beta.next`, `fn@app.js:10`. */
const mail =
  /(?<![\w.+%-])(?!git(?:@|%40))[\p{L}\d._+-]{1,64}(?:@|%40)(?!v?\d+\.\d|\dx\.)(?:[\p{L}\d-]{1,63}\.){1,8}(?!(?:[cm]?[jt]sx?|vue|svelte|css|html?|json|map|png|jpe?g|gif|svg|webp|next|rc|beta|alpha)(?![\p{L}\d-]))\p{L}{2,24}(?![\p{L}\d-])/gu

/** With a country's code, as North America writes them, or with a leading zero and a gap. */
const phone =
  /(?<![\w.+-])(?:\+[1-9]\d{0,2}(?:[ .()/\u00a0-]{0,2}\d){6,13}|(?:1[ .-])?\(\d{3}\)[ -]?\d{3}[ .-]\d{4}|(?:1[ .-])?\d{3}([.-])\d{3}\1\d{4}|0[1-9]\d{1,3}[ /\u00a0]\d{3,4}[ \u00a0-]?\d{3,5}|00[1-9]\d{9,13})(?![\w-])/g
const spokenPhone =
  /\b((?:tel|phone|telephone|mobile|cell|fax)\b\.?(?: ?(?:no|nr|number)\b\.?)?[ :=]{1,3})(\+?\d(?:[ .()/-]?\d){5,14})(?![\w-])/gi

/** Not the address in a URL, which is a server's, nor a version such as `Chrome/120.0.0.0`. */
const ipv4 =
  /(?<![\w.@/-]|version[ :=]{1,2}|\bv)(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)\.){3}(?:25[0-5]|2[0-4]\d|1?\d?\d)(?![\w-]|\.\d)/gi
const ipv6 = /(?<![\w:.])[0-9a-f]{0,4}(?::[0-9a-f]{0,4}){2,7}(?![\w:])/gi

/** The own machine, no machine at all, and what is a version of a browser: `120.0.0.0`. */
const nobodysAddress = /^(?:127\.|255\.255\.|\d{1,3}\.0\.0\.0$)/

/** Text without mail addresses and telephone numbers. */
export function scrubContacts(text: string): string {
  let out = text
  if (out.includes('@') || out.includes('%40')) out = out.replace(mail, mailMark)
  // Three digits near each other: `+33 1 23 45 67 89` has no run of them.
  if (!/\d[ .()/\u00a0-]{0,2}\d[ .()/\u00a0-]{0,2}\d/.test(out)) return out
  out = out.replace(phone, phoneMark)
  return /tel|phone|mobile|cell|fax/i.test(out) ? out.replace(spokenPhone, `$1${phoneMark}`) : out
}

/** Text without the addresses of machines; those of the own machine stay. */
export function scrubAddresses(text: string): string {
  let out = text
  if (/\d\.\d/.test(out)) {
    out = out.replace(ipv4, (found) => (nobodysAddress.test(found) ? found : addressMark))
  }
  if (!/::|(?:[0-9a-f]:){3}|[0-9a-f]:[0-9a-f]{1,4}:[0-9a-f]/i.test(out)) return out
  return out.replace(ipv6, (found) => (isPersonalIpv6(found) ? addressMark : found))
}

function isPersonalIpv6(found: string): boolean {
  return found.length > 5 && /\d/.test(found) && isIPv6(found)
}
