import { isIP } from 'node:net'
import type { EventBag, EventUser } from '@afterimage/protocol/event'
import type { ItemContext } from '../../items/item.ts'
import { boundedBag, boundedCopy } from './bag.ts'
import { bagLimits, eventLimits } from './limits.ts'
import { isRecord, readText } from './text.ts'

const textMembers = [
  ['id', eventLimits.identifier],
  ['username', eventLimits.username],
  ['email', eventLimits.email],
  ['name', eventLimits.label],
  ['segment', eventLimits.label],
] as const

const knownMembers = new Set([
  'id',
  'username',
  'email',
  'name',
  'segment',
  'ip_address',
  'geo',
  'data',
])

/** The facts that decide whose address an event may carry. */
export interface AddressSource {
  readonly platform: string
  /** `request.env.REMOTE_ADDR` as sent. */
  readonly remoteAddr?: unknown
  /** `sdk.settings.infer_ip`: auto, never or legacy. */
  readonly inferIp?: unknown
}

/**
 * The user of an event. Members without a place of their own go to `data`. The address is kept
 * only when the project stores addresses; null when nothing is known of the user.
 */
export function normalizeUser(
  raw: unknown,
  context: Pick<ItemContext, 'remoteAddress' | 'scrubbing'>,
  source: AddressSource = { platform: 'other' },
): EventUser | null {
  const sent = isRecord(raw) ? raw : {}
  const user: EventUser = {}
  for (const [name, max] of textMembers) {
    const text = readText(sent[name], max)
    if (text !== null) user[name] = text
  }
  if (context.scrubbing.storeIpAddresses) {
    const address = addressOf(sent['ip_address'], context.remoteAddress, source)
    if (address !== null) user.ip_address = address
  }
  const geo = boundedBag(sent['geo'], bagLimits.small)
  if (geo !== null) user.geo = geo
  const data = userData(sent)
  if (data !== null) user.data = data
  for (const _ in user) return user
  return null
}

function userData(sent: Record<string, unknown>): EventBag | null {
  const data: Record<string, unknown> = isRecord(sent['data']) ? { ...sent['data'] } : {}
  for (const key in sent) if (!knownMembers.has(key) && key !== '__proto__') data[key] = sent[key]
  for (const _ in data) return boundedCopy(data, bagLimits.medium) as EventBag
  return null
}

const platformsThatInfer = new Set(['javascript', 'cocoa', 'objc'])

/**
 * Returns the address as sent, or the sender's for `{{auto}}`; some platforms get the sender's
 * unasked.
 */
function addressOf(
  sent: unknown,
  sender: string | null,
  { platform, remoteAddr, inferIp }: AddressSource,
): string | null {
  for (const value of [sent, remoteAddr]) {
    if (value === '{{auto}}' && inferIp !== 'never') return sender
    if (typeof value === 'string' && isIP(value) !== 0) return value
  }
  if (inferIp === 'never') return null
  return inferIp === 'auto' || platformsThatInfer.has(platform) ? sender : null
}

const keyMembers = [
  ['id', 'id'],
  ['username', 'username'],
  ['email', 'email'],
  ['ip', 'ip_address'],
] as const

const filtered = '[Filtered]'

/** Returns the identity people are counted by, such as `id:7`, or null when there is none. */
export function userKey(user: EventUser | null | undefined): string | null {
  if (!user) return null
  for (const [prefix, member] of keyMembers) {
    const value = user[member]
    if (value !== undefined && value !== filtered) return `${prefix}:${value}`
  }
  return null
}

/** Returns the label to show for a person; null when nothing is known. */
export function userLabel(user: EventUser | null | undefined): string | null {
  if (!user) return null
  for (const member of ['email', 'username', 'name', 'id', 'ip_address'] as const) {
    const value = user[member]
    if (value !== undefined && value !== filtered) return value
  }
  return null
}
