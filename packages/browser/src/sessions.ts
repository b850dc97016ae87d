import type { Client } from '@afterimage/sdk-core/client'
import { guard } from '@afterimage/sdk-core/guard'
import { createId } from '@afterimage/protocol/ids'
import type { Integration } from '@afterimage/sdk-core/integration'
import { listen } from '@afterimage/sdk-core/listen'
import { getScope } from '@afterimage/sdk-core/scope'

/**
 * Reports release health: one session per page load. It is announced when the page is idle or left,
 * and updated at its first error and at its first uncaught one. Silent without a release.
 */
export function sessions(): Integration {
  const session = {
    sid: createId(),
    init: true,
    started: new Date(),
    status: 'ok',
    errors: 0,
  }
  let isAnnounced = false

  function tell(client: Client): void {
    const { release, environment } = client.options
    const { id, email, username } = getScope().data.user ?? {}
    const attrs = { release, environment, user_agent: navigator.userAgent }
    const update = { ...session, did: id ?? email ?? username, timestamp: new Date(), attrs }
    void client.send([{ header: { type: 'session' }, payload: JSON.stringify(update) }])
    session.init = false
    isAnnounced = true
  }

  return {
    name: 'sessions',
    setup(client) {
      if (!client.options.release) return undefined
      const announce = (): void => {
        if (!isAnnounced) tell(client)
      }
      const whenIdle = globalThis.requestIdleCallback ?? setTimeout
      whenIdle(() => guard(announce))
      return [
        listen(document, 'visibilitychange', () => {
          if (document.visibilityState === 'hidden') announce()
        }),
        listen(window, 'pagehide', announce),
      ]
    },
    willSend(event, _hint, client) {
      if (event.type !== undefined || !client.options.release || session.status !== 'ok') return
      const isUnhandled = event.exception?.values.some((it) => it.mechanism?.handled === false)
      if (!event.exception || (session.errors > 0 && !isUnhandled)) return
      session.errors = 1
      if (isUnhandled) session.status = 'unhandled'
      tell(client)
    },
  }
}
