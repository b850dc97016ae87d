import { describe, expect, test } from 'vitest'
import type { ScrubbingSettings } from '../../items/item.ts'
import { keyRules, type KeyRules } from './keys.ts'
import { defaultScrubbing } from './settings.ts'

function rulesOf(settings: Partial<ScrubbingSettings> = {}): KeyRules {
  return keyRules({ ...defaultScrubbing, ...settings })
}

const rules = rulesOf()

/** The names of a list that a rule applies to. */
function those(rule: (name: string) => boolean, names: string): string {
  return names.split(' ').filter(rule).join(' ')
}

describe('a name', () => {
  test('is the same in every style', () => {
    const styles = 'clientSecretID CLIENT-SECRET client.secret XMLSecretKey a9Secret kundenSecretß'
    expect(those(rules.isSensitive, styles)).toBe(styles)
    const words = 'dbPass DB_PASS db-pass db..pass DBPass db2Pass'
    expect(those(rules.isSensitive, words)).toBe(words)
    expect(those(rules.isSensitive, 'dbpassage bypass überpass')).toBe('')
  })

  test('is read to a bound', () => {
    expect(rules.isSensitive(`${'x'.repeat(248)}_secret`)).toBe(true)
    expect(rules.isSensitive(`${'x'.repeat(256)}_secret`)).toBe(false)
  })

  test('of a session is a secret, of a measure of one it is not', () => {
    const secrets = 'session user_session sessions sess signature sig atSession'
    expect(those(rules.isSensitive, secrets)).toBe(secrets)
    const measures =
      'tokens type count length size duration timeout ms seconds status started start ended end at rate mode version limit max min'
        .split(' ')
        .map((word) => `session_${word}`)
        .join(' ')
    const harmless = measures.replace('session_tokens ', '')
    expect(those(rules.isSensitive, `${harmless} obsession sessional`)).toBe('')
    expect(those(rules.isMeasure, `${measures} max_session counter tokens_x`)).toBe(measures)
  })

  test.each([
    ['ip client-ip X-Real-IP user_ip remote.ip peer_ip source_ip sender_ip cf-connecting-ip', true],
    ['ipaddr ip_addr ip-address ip.address ipAddress clientIpAddr remoteaddr remote_addr', true],
    ['client.address client-addr remote_address forwarded forwarded-for x_forwarded.for', true],
    ['userip clientip', true],
    ['zip ship ipsum ip_version tip_address_book address forwardedly forwarded_by user_ips', false],
    ['addr mail_address remote_addresses', false],
  ])('of the address of a person, among %s: %s', (names, expected) => {
    expect(those(rules.isSensitive, names)).toBe(expected ? names : '')
    expect(those(rulesOf({ storeIpAddresses: true }).isSensitive, names)).toBe('')
  })

  test('of a telephone is one in whole words at its end', () => {
    const names =
      'phone telephone mobile cell cellphone tel fax msisdn whatsapp phone_number homePhoneNo fax-no'
    expect(those(rules.isPhone, names)).toBe(names)
    expect(those(rules.isPhone, 'phones iphone phone_type cellar telnet phone_number_x')).toBe('')
    expect(those(rulesOf({ storeContacts: true }).isPhone, names)).toBe('')
    expect(those(rulesOf({ defaults: false }).isPhone, names)).toBe('')
    expect(those(rulesOf({ safeFields: ['FAX'] }).isPhone, 'fax tel')).toBe('tel')
  })

  test('of a machine, a version or of the user is there on purpose', () => {
    const names =
      'version os_version release build hostHeader hostname server_name domain user_id enduser.name user-email user_username user_full_name contact_email'
    expect(those(rules.isNamedOnPurpose, names)).toBe(names)
    const others = 'versions email my_user_id user_id_x user_phone my_contact_email contact_email_x'
    expect(those(rules.isNamedOnPurpose, others)).toBe('')
  })
})

describe('cookies and parameters', () => {
  test('of a session are secrets, others are not', () => {
    const names =
      'PHPSESSID mysess connect.sid sentrysid sudo su symfony xsrf _csrf _xsrf csrf-token XSRF_TOKEN xsrftoken fastcsrf _iris_csrf user_identity'
    expect(those(rules.isSensitiveCookie, names)).toBe(names)
    expect(those(rules.isSensitiveCookie, 'theme sudoku sushi side residue a_su')).toBe('')
    expect(those(rulesOf({ defaults: false }).isSensitiveCookie, names)).toBe('')
    expect(those(rulesOf({ safeFields: ['su'] }).isSensitiveCookie, 'su sudo')).toBe('sudo')
  })

  test('of a sign-in are secrets in an address alone', () => {
    expect(those(rules.isSensitiveQuery, 'code Ticket password q')).toBe('code Ticket password')
    expect(those(rules.isSensitiveQuery, 'barcode codec tickets')).toBe('')
    expect(those(rules.isSensitive, 'code Ticket')).toBe('')
    expect(those(rulesOf({ defaults: false }).isSensitiveQuery, 'code ticket password')).toBe('')
  })
})

describe('a project', () => {
  test('has secrets of its own, inside of words and whatever signs they hold', () => {
    const own = rulesOf({ sensitiveFields: ['kunde', '', 'a.b', 'x|y'], defaults: false })
    expect(those(own.isSensitive, 'Kundennummer a.b x|y axb x y')).toBe('Kundennummer a.b x|y')
    expect(own.isSensitiveCookie('kunde')).toBe(true)
    expect(rulesOf({ sensitiveFields: [''] }).isSensitive('anything')).toBe(false)
  })

  test('has safe names, which are compared as a whole', () => {
    const own = rulesOf({ safeFields: ['Auth_Mode'], sensitiveFields: ['mode'] })
    expect(those(own.isSensitive, 'auth_mode AUTH_MODE auth_modes')).toBe('auth_modes')
  })
})

test('more names than are remembered get the same answers', () => {
  const names = Array.from({ length: 5000 }, (_, index) => `name${index}${index % 2 ? '_pin' : ''}`)
  for (let round = 0; round < 2; round += 1) {
    expect(names.map(rules.isSensitive)).toEqual(names.map((_, index) => index % 2 === 1))
  }
})
