import { filtered } from './filtered.ts'

/** Numbers of cards and accounts, which their own digits prove, and of social security. */

/** Amex, Diners, Visa, Mastercard, JCB, Discover, UnionPay and Maestro, as runs or in their usual groups. */
const card =
  /(?<![\w.-])(?:3[47]\d{2}[ .\u00a0-]?\d{6}[ .\u00a0-]?\d{5}|3[0689]\d{2}[ .\u00a0-]?\d{6}[ .\u00a0-]?\d{4}|4\d{3}[ .\u00a0-]?\d{4}[ .\u00a0-]?\d{4}[ .\u00a0-]?\d(?:\d{3})?|(?:5[1-5]\d{2}|2[2-7]\d{2}|35\d{2}|6\d{3})[ .\u00a0-]?\d{4}[ .\u00a0-]?\d{4}[ .\u00a0-]?\d{4}(?:\d{3})?)(?![\w-])/g
const socialSecurityNumber = /(?<![\w-])\d{3}-\d{2}-\d{4}(?![\w-])/g
const iban = /(?<![A-Za-z0-9])[A-Z]{2}\d{2}(?:[ \u00a0]?[A-Z0-9]){11,30}(?![a-z0-9])/g

/** Digits and letters of an IBAN in each country. @see the SWIFT IBAN registry */
const ibanLengths = new Map(
  (
    'AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DK18 DO28 EE20 EG29 ES24 FI18 FO18 ' +
    'FR27 GB22 GE22 GI23 GL18 GR27 GT28 HR21 HU28 IE22 IL23 IQ23 IS26 IT27 JO30 KW30 KZ20 LB28 LC32 LI21 LT20 LU20 LV21 ' +
    'LY25 MC27 MD24 ME22 MK19 MR27 MT31 MU30 NL18 NO15 PK24 PL28 PS29 PT25 QA29 RO24 RS22 SA24 SC31 SD18 SE24 SI19 SK24 ' +
    'SM27 SV28 TL23 TN24 TR26 UA29 VA22 VG24 XK20'
  )
    .split(' ')
    .map((one) => [one.slice(0, 2), Number(one.slice(2))] as const),
)

/** Text, known to have a run of digits, without such numbers. */
export function scrubNumbers(text: string): string {
  const out = text
    .replace(card, (found) => (isCard(found) ? filtered : found))
    .replace(socialSecurityNumber, filtered)
  return /[A-Z]{2}\d{2}/.test(out) ? out.replace(iban, withoutIban) : out
}

/** Groups are how cards alone are written; a plain run must also pass Luhn's check, as an order number rarely does. */
function isCard(found: string): boolean {
  const digits = found.replace(/\D/g, '')
  return digits.length !== found.length || isLuhn(digits)
}

function isLuhn(digits: string): boolean {
  let sum = 0
  for (let place = 0; place < digits.length; place += 1) {
    const digit = Number(digits[digits.length - 1 - place])
    const doubled = place % 2 === 0 ? digit : digit * 2
    sum += doubled > 9 ? doubled - 9 : doubled
  }
  return sum % 10 === 0
}

/** The words behind an IBAN may be capitals too, so its country says how long it is. */
function withoutIban(found: string): string {
  const length = ibanLengths.get(found.slice(0, 2))
  if (length === undefined) return found
  let end = 0
  let compact = ''
  for (; end < found.length && compact.length < length; end += 1) {
    if (/[A-Z0-9]/.test(found[end]!)) compact += found[end]
  }
  const isWhole = compact.length === length && !/^[A-Z0-9]/.test(found.slice(end))
  return isWhole && isIban(compact) ? `${filtered}${found.slice(end)}` : found
}

/** ISO 13616: the first four characters moved to the end, letters as 10 to 35, modulo 97 is 1. */
function isIban(compact: string): boolean {
  let rest = 0
  for (const character of compact.slice(4) + compact.slice(0, 4)) {
    const value = parseInt(character, 36)
    rest = (rest * (value > 9 ? 100 : 10) + value) % 97
  }
  return rest === 1
}
