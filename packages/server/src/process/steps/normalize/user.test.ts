import { expect, test } from 'vitest'
import { defaultScrubbing } from '../scrub/settings.ts'
import { normalizeUser, userKey, userLabel } from './user.ts'

const sender = '198.51.100.7'
const discreet = { remoteAddress: sender, scrubbing: defaultScrubbing }
const storing = { ...discreet, scrubbing: { ...defaultScrubbing, storeIpAddresses: true } }

test('everything a user says is kept, the address only where the project stores it', () => {
  const user = { id: '7', username: 'ada', email: 'a@x.test', name: 'Ada', segment: 's' }
  const sent = { ...user, ip_address: '203.0.113.9', geo: { city: 'Ulm' } }
  expect(normalizeUser(sent, storing)).toEqual(sent)
  expect(normalizeUser(sent, discreet)).toEqual({ ...user, geo: { city: 'Ulm' } })
  expect(normalizeUser({ id: 7, email: null, geo: 'x' }, discreet)).toEqual({ id: '7' })
})

test.each([null, undefined, 'ada', [['ada']], {}, { data: {} }, { id: '' }, { data: 'x' }])(
  'a user of %j is unknown',
  (sent) => expect(normalizeUser(sent, discreet)).toBeNull(),
)

test('members without a place of their own are data', () => {
  const sent = JSON.parse(
    '{"plan":"pro","data":{"a":1,"plan":"free"},"__proto__":{"x":1}}',
  ) as object
  expect(normalizeUser(sent, discreet)).toEqual({ data: { a: 1, plan: 'pro' } })
  expect(sent).toMatchObject({ data: { plan: 'free' } })
})

test('its members are bounded', () => {
  const long = 'x'.repeat(5000)
  const user = normalizeUser({ id: long, email: long, data: { long }, geo: { long } }, discreet)!
  expect([user.id?.length, user.email?.length]).toEqual([128, 75])
  expect(JSON.stringify(user.data).length).toBeLessThan(2100)
  expect(JSON.stringify(user.geo).length).toBeLessThan(1100)
})

const auto = '{{auto}}'
test.each([
  ['203.0.113.9', { platform: 'python' }, '203.0.113.9'],
  ['2001:db8::1', { platform: 'python' }, '2001:db8::1'],
  ['203.0.113.9', { platform: 'javascript', inferIp: 'never' }, '203.0.113.9'],
  ['203.0.113.9', { platform: 'python', remoteAddr: '203.0.113.1' }, '203.0.113.9'],
  [undefined, { platform: 'python', remoteAddr: '203.0.113.1' }, '203.0.113.1'],
  [undefined, { platform: 'python', remoteAddr: auto }, sender],
  ['nonsense', { platform: 'python', remoteAddr: 7 }, undefined],
  [auto, { platform: 'python' }, sender],
  [auto, { platform: 'python', inferIp: 'never' }, undefined],
  [auto, { platform: 'python', inferIp: 'never', remoteAddr: '203.0.113.1' }, '203.0.113.1'],
  [undefined, { platform: 'javascript' }, sender],
  [undefined, { platform: 'cocoa' }, sender],
  [undefined, { platform: 'objc' }, sender],
  [undefined, { platform: 'python' }, undefined],
  [undefined, { platform: 'python', inferIp: 'auto' }, sender],
  [undefined, { platform: 'javascript', inferIp: 'never' }, undefined],
  [undefined, { platform: 'javascript', inferIp: 'legacy' }, sender],
])('sent as %j from %j the address is %s', (ip_address, source, address) => {
  expect(normalizeUser({ id: '7', ip_address }, storing, source)?.ip_address).toBe(address)
})

test('a user of whom only the sender’s address is known has it', () => {
  expect(normalizeUser(null, storing, { platform: 'javascript' })).toEqual({ ip_address: sender })
  expect(normalizeUser(null, storing)).toBeNull()
  const unknown = { ...storing, remoteAddress: null }
  expect(normalizeUser(null, unknown, { platform: 'javascript' })).toBeNull()
})

const all = { id: '7', username: 'ada', email: 'a@x.test', name: 'Ada', ip_address: '::1' }
const hidden = '[Filtered]'

test('people are counted by the first of id, name, mail address and address that is known', () => {
  expect(userKey(all)).toBe('id:7')
  expect(userKey({ ...all, id: hidden })).toBe('username:ada')
  expect(userKey({ email: 'a@x.test', ip_address: '::1' })).toBe('email:a@x.test')
  expect(userKey({ email: hidden, ip_address: '::1' })).toBe('ip:::1')
  for (const user of [null, undefined, {}, { id: hidden }, { name: 'Ada' }]) {
    expect(userKey(user)).toBeNull()
  }
})

test('people are shown by what a person would know them by', () => {
  expect(userLabel(all)).toBe('a@x.test')
  expect(userLabel({ ...all, email: hidden })).toBe('ada')
  expect(userLabel({ name: 'Ada', id: '7' })).toBe('Ada')
  expect(userLabel({ id: '7', ip_address: '::1' })).toBe('7')
  expect(userLabel({ ip_address: '::1' })).toBe('::1')
  for (const user of [null, undefined, {}, { id: hidden }]) expect(userLabel(user)).toBeNull()
})
