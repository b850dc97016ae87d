import { decodeEnvelope } from '@afterimage/protocol/envelope'
import type { Envelope } from '@afterimage/protocol/envelope'
import { isRefusal } from '@afterimage/protocol/outcome'
import { vi } from 'vitest'
import type { SdkEvent } from '../event.ts'

/** Replaces `fetch`, and decodes posted envelopes with the protocol package. */
export interface FakeNetwork {
  readonly requests: { readonly address: string; readonly init: RequestInit }[]
  readonly envelopes: Envelope[]
  events(): SdkEvent[]
  /** The answer from now on; an error is a failing network. */
  answer: (() => Response | Promise<Response>) | Error
}

export function fakeNetwork(): FakeNetwork {
  const network: FakeNetwork = {
    requests: [],
    envelopes: [],
    events: () =>
      network.envelopes.flatMap(({ items }) =>
        items
          .filter(({ header }) => header.type === 'event')
          .map(({ payload }) => JSON.parse(new TextDecoder().decode(payload)) as SdkEvent),
      ),
    answer: () => new Response('{}'),
  }
  vi.stubGlobal('fetch', async (address: string, init: RequestInit) => {
    network.requests.push({ address, init })
    const envelope = decodeEnvelope(init.body as Uint8Array)
    if (isRefusal(envelope)) throw new Error(envelope.detail)
    network.envelopes.push(envelope)
    if (network.answer instanceof Error) throw network.answer
    return network.answer()
  })
  return network
}

/** A DSN of our own server. */
export const dsn = `https://${'a'.repeat(32)}@errors.test/42`
