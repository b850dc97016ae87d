import { describe, expect, test } from 'vitest'
import { scrubTokens } from './tokens.ts'

/** So many letters and digits, as a token has. */
function letters(count: number): string {
  return 'aB3dE6gH9jK'.repeat(Math.ceil(count / 11)).slice(0, count)
}

function hex(count: number): string {
  return '0a1b2c3d4e5f6789'.repeat(Math.ceil(count / 16)).slice(0, count)
}

function capitals(count: number): string {
  return letters(count).toUpperCase()
}

describe('a token', () => {
  /** By prefix, and the shortest that may follow it. None is real. */
  test.each([
    ...['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_'].map((prefix) => [prefix, letters(16)]),
    ['github_pat_', letters(20)],
    ...['sk_live_', 'sk_test_', 'pk_live_', 'rk_test_', 'whk_live_', 'wc_test_', 's_live_'].map(
      (prefix) => [prefix, letters(8)],
    ),
    ['whsec_', `${letters(13)}+/=`],
    ['npm_', letters(30)],
    ['hf_', letters(30)],
    ['dop_v1_', hex(32)],
    ['doo_v1_', hex(32)],
    ['dor_v1_', hex(32)],
    ...['shpat_', 'shpca_', 'shppa_', 'shpss_'].map((prefix) => [prefix, hex(32)]),
    ...['glc_', 'gla_', 'glsa_'].map((prefix) => [prefix, letters(20)]),
    ['sntrys_', `${letters(17)}+/=`],
    ['sntryu_', hex(20)],
    ['lin_api_', letters(20)],
    ['ait_', `${letters(15)}-`],
    ['glpat-', `${letters(15)}_`],
    ['xoxb-', `${letters(7)}-`],
    ['xapp-', `${letters(7)}-`],
    ['sk-', `proj-${letters(15)}`],
    ['pypi-', `${letters(15)}-`],
    ['GOCSPX-', `${letters(19)}-`],
    ['sq0atp-', `${letters(19)}-`],
    ['key-', hex(32)],
    ['AGE-SECRET-KEY-1', capitals(20)],
    ['SG.', `${letters(11)}-.${letters(11)}-`],
    ['ya29.', `${letters(9)}-`],
    ['hvs.', `${letters(19)}-`],
  ] as [string, string][])('that begins with %s is found, and not one shorter', (prefix, rest) => {
    expect(scrubTokens(`got ${prefix}${rest}!`)).toBe('got [Filtered]!')
    expect(scrubTokens(`a${prefix}${rest}`)).toBe(`a${prefix}${rest}`)
    const cut = `${prefix}${rest.slice(0, -1)} `
    expect(scrubTokens(cut)).toBe(cut)
  })

  test.each([
    ...['AKIA', 'ASIA', 'AGPA', 'AIDA', 'AROA', 'ANPA', 'ANVA', 'AIPA', 'ABIA', 'ACCA'].map(
      (prefix) => `${prefix}${capitals(16)}`,
    ),
    ...['AC', 'SK', 'dapi'].map((prefix) => `${prefix}${hex(32)}`),
    `12345678:AA${letters(32)}-`,
    `1234567890:AA${letters(33)}`,
  ])('of the form of %s is found, and not as part of a longer word', (token) => {
    expect(scrubTokens(`(${token})`)).toBe('([Filtered])')
    for (const other of [`x${token}`, `${token}x`, token.slice(0, -1)]) {
      expect(scrubTokens(other)).toBe(other)
    }
  })

  test('of Google has a prefix and from 30 characters', () => {
    expect(scrubTokens(`(AIza1${letters(28)}-)`)).toBe('([Filtered])')
    for (const text of [`AIza1${letters(28)}`, `xAIza1${letters(29)}`, `AIza${letters(60)}`]) {
      expect(scrubTokens(text)).toBe(text)
    }
  })

  test('of JSON has two to five parts', () => {
    const head = 'eyJhbGciOiJIUzI1NiJ9'
    for (const rest of ['eyJz', 'eyJz.dozj', 'a-_4..x.y']) {
      expect(scrubTokens(`got ${head}.${rest} now`)).toBe('got [Filtered] now')
    }
    expect(scrubTokens(`${head}.eyJz.a.b.c.d`)).toBe('[Filtered].d')
    for (const text of ['eyJhbGc.eyJz', `${head}.eyJ`, `x${head}.eyJz`, head]) {
      expect(scrubTokens(text)).toBe(text)
    }
  })
})

describe('the address of a webhook', () => {
  test.each([
    'hooks.slack.com/services/',
    'hooks.slack.com/workflows/',
    'hooks.slack.com/triggers/',
    'discord.com/api/webhooks/',
    'discordapp.com/api/webhooks/',
  ])('at %s leads nowhere', (place) => {
    expect(scrubTokens(`post https://${place}T0/B-0/abc.`)).toBe(`post https://${place}[Filtered].`)
    expect(scrubTokens(`https://${place}T0/B000`)).toBe(`https://${place}T0/B000`)
  })
})
