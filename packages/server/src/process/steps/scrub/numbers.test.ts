import { describe, expect, test } from 'vitest'
import { scrubNumbers } from './numbers.ts'

/** A number of each maker, in one run and in the groups that are printed on its cards. */
const cards = [
  ['Amex', '347194628305917', '3471 946283 05917'],
  ['Amex', '377194628305910', '3771 946283 05910'],
  ['Diners', '30719462830596', '3071 946283 0596'],
  ['Diners', '36719462830590', '3671 946283 0590'],
  ['Diners', '38719462830598', '3871 946283 0598'],
  ['Diners', '39719462830597', '3971 946283 0597'],
  ['Visa', '4719462830591745', '4719 4628 3059 1745'],
  ['short Visa', '4719462830598', '4719 4628 3059 8'],
  ['Mastercard', '5171946283059174', '5171 9462 8305 9174'],
  ['Mastercard', '5571946283059170', '5571 9462 8305 9170'],
  ['new Mastercard', '2271946283059170', '2271 9462 8305 9170'],
  ['new Mastercard', '2771946283059175', '2771 9462 8305 9175'],
  ['JCB', '3571946283059175', '3571 9462 8305 9175'],
  ['Discover', '6071946283059173', '6071 9462 8305 9173'],
  ['UnionPay', '6271946283059171', '6271 9462 8305 9171'],
  ['Maestro', '6304719462830591743', '6304 7194 6283 0591743'],
] as const

describe('a card', () => {
  test.each(cards)('of %s is found: %s, %s', (_, run, groups) => {
    expect(groups.replaceAll(' ', '')).toBe(run)
    expect(scrubNumbers(`card ${run}, declined`)).toBe('card [Filtered], declined')
    for (const gap of [' ', '.', '-', '\u00a0']) {
      expect(scrubNumbers(`card ${groups.replaceAll(' ', gap)}!`)).toBe('card [Filtered]!')
    }
    expect(scrubNumbers(groups.replaceAll(' ', '  '))).not.toContain('[Filtered]')
  })

  test.each(cards)('of %s must pass the check of its digits, unless it is in groups', (_, run) => {
    const other = run.replace(/\d$/, (digit) => String((Number(digit) + 1) % 10))
    expect(scrubNumbers(other)).toBe(other)
    const grouped = `${other.slice(0, 4)} ${other.slice(4)}`
    expect(scrubNumbers(grouped)).toBe('[Filtered]')
  })

  // All pass the check of their digits.
  test.each([
    '5671946283059179',
    '5071946283059175',
    '2171946283059171',
    '2871946283059174',
    '317194628305913',
    '32719462830594',
    '9719462830591740',
  ])('is not %s, which begins like no card', (run) => expect(scrubNumbers(run)).toBe(run))

  test('is a number of its own, and no part of another or of a name', () => {
    const run = '4719462830591745'
    for (const before of ['a', '7', '_', '.', '-']) {
      expect(scrubNumbers(`${before}${run}`)).toBe(`${before}${run}`)
    }
    for (const after of ['a', '7', '_', '-']) {
      expect(scrubNumbers(`${run}${after}`)).toBe(`${run}${after}`)
    }
    expect(scrubNumbers(`(${run}.)/${run}`)).toBe('([Filtered].)/[Filtered]')
  })
})

describe('a number of social security', () => {
  test('is found by its groups', () => {
    expect(scrubNumbers('ssn 078-05-1120.')).toBe('ssn [Filtered].')
  })

  test.each([
    'a078-05-1120',
    '1078-05-1120',
    '-078-05-1120',
    '078-05-11203',
    '078-05-1120-1',
    '078-05-112',
    '07-05-1120',
    '078-5-1120',
    '078 05 1120',
  ])('is not %s', (text) => expect(scrubNumbers(text)).toBe(text))
})

describe('an IBAN', () => {
  test.each([
    ['DE89370400440532013000', '[Filtered]'],
    ['to DE89 3704 0044 0532 0130 00 today', 'to [Filtered] today'],
    ['DE89\u00a03704\u00a00044\u00a00532\u00a00130\u00a000', '[Filtered]'],
    ['GB82WEST12345698765432', '[Filtered]'],
    // The shortest and the longest there are.
    ['NO9386011117947', '[Filtered]'],
    ['MT84MALT011000012345MTLCAST001S', '[Filtered]'],
    ['GB82 WEST 1234 5698 7654 32 AT THE BANK', '[Filtered] AT THE BANK'],
    ['(DE89370400440532013000)', '([Filtered])'],
  ])('in %j leaves %j', (text, expected) => expect(scrubNumbers(text)).toBe(expected))

  test.each([
    // The digits do not check, the country is not one, it is too long, too short, or part of a word.
    'DE88370400440532013000',
    'XX89370400440532013000',
    'DE893704004405320130001',
    'DE8937040044053201300',
    'xDE89370400440532013000',
    '7DE89370400440532013000',
    'DE89370400440532013000x',
    'de89370400440532013000',
    'DE89  3704  0044  0532  0130  00',
  ])('is not %s', (text) => expect(scrubNumbers(text)).toBe(text))
})
