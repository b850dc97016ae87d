import { isIP } from 'node:net'
import type { EventUser } from '@afterimage/protocol/event'
import type { ItemContext } from '../item.ts'
import { scrubText, scrubValue } from '../../steps/scrub/index.ts'
import { normalizeUser } from '../../steps/normalize/user.ts'
import { textOf, type Attributes } from './attributes.ts'

/** Attributes that hold the address of the person, or of whoever made the request. */
const addressAttributes = new Set([
  'user.ip_address',
  'user.ip',
  'client.address',
  'client.socket.address',
  'http.client_ip',
  'net.peer.ip',
  'net.sock.peer.addr',
  'network.peer.address',
])

const addressHeader =
  /^http\.request\.header\.(?:x[-_]forwarded[-_]for|x[-_]real[-_]ip|x[-_]client[-_]ip|forwarded|cf[-_]connecting[-_]ip|true[-_]client[-_]ip|remote[-_]addr)$/i

type Sender = Pick<ItemContext, 'remoteAddress' | 'scrubbing'>

/** Attributes as they may be stored: without addresses and secrets. */
export function storedAttributes(attributes: Attributes, context: Sender): Attributes {
  return scrubValue(withoutAddresses(attributes, context), context.scrubbing)
}

/** A name or a message as it may be stored. */
export function storedText(text: string, { scrubbing }: Sender): string {
  return scrubText(text, scrubbing)
}

/**
 * Attributes without addresses, unless the project stores them. `{{auto}}`, which asks for the sender's,
 * is answered in the row's user only: an attribute says what the application said.
 */
function withoutAddresses(attributes: Attributes, { scrubbing }: Sender): Attributes {
  const kept: Record<string, unknown> = {}
  for (const key of Object.keys(attributes)) {
    const isAddress = addressAttributes.has(key) || addressHeader.test(key)
    if (isAddress && !scrubbing.storeIpAddresses) continue
    if (attributes[key] !== '{{auto}}') kept[key] = attributes[key]
  }
  return kept
}

/** The person that attributes name, as an event's user; null when they name nobody. */
export function userOf(
  attributes: Attributes,
  context: Sender,
  source: { readonly platform: string; readonly inferIp: unknown },
): EventUser | null {
  const address = textOf(attributes, 'user.ip_address', 'user.ip', 'client.address')
  const sent = {
    id: textOf(attributes, 'user.id'),
    email: textOf(attributes, 'user.email'),
    username: textOf(attributes, 'user.username', 'user.name'),
    ip_address:
      address !== null && (address === '{{auto}}' || isIP(address) !== 0) ? address : null,
  }
  return normalizeUser(sent, context, source)
}
