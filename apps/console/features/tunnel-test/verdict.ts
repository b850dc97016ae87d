/** Through the application's own host, or straight to the server that the DSN names. */
export type Way = 'tunnel' | 'direct'

/** Result of sending one envelope. */
export type Verdict =
  | { readonly type: 'arrived'; readonly ms: number }
  /** Accepted, but not found within the time limit. */
  | { readonly type: 'unseen'; readonly waitedMs: number }
  | { readonly type: 'refused'; readonly status: number; readonly detail: string }
  /** Another server answered. */
  | { readonly type: 'foreign'; readonly status: number }
  | { readonly type: 'blocked'; readonly by: Blocker }

export type Blocker =
  | 'policy'
  | 'mixed'
  | 'offline'
  /** The host answers other requests: something in or before the browser picks this one out. */
  | 'filter'
  /** Nothing of that host answers. */
  | 'unreachable'

export interface VerdictWords {
  readonly title: string
  readonly detail: string
}

/** Describes a verdict and its remedy. `address` is the envelope's target. */
export function wordsOf(verdict: Verdict, way: Way, address: string): VerdictWords {
  switch (verdict.type) {
    case 'arrived':
      return {
        title: way === 'tunnel' ? 'The tunnel works' : 'The direct way works',
        detail: `The envelope was sent, accepted, stored and found again after ${(verdict.ms / 1000).toFixed(1)} s.`,
      }
    case 'unseen':
      return {
        title: 'Accepted, but not there yet',
        detail: `The server accepted the envelope, but had not stored it ${Math.round(verdict.waitedMs / 1000)} s later. Look at the queue under “This server”, and at the log of the role process.`,
      }
    case 'refused':
      return { title: `Refused with ${verdict.status}`, detail: refusalWords(verdict, way) }
    case 'foreign':
      return {
        title: 'Something else answered',
        detail: `${verdict.status === 0 ? 'A redirect' : `An answer with status ${verdict.status}`} came from ${address}, not from this server: a proxy or a sign-in page answered instead. Let POST requests to this address pass through.`,
      }
    case 'blocked':
      return blockedWords(verdict.by, way, address)
  }
}

function refusalWords({ status, detail }: Extract<Verdict, { type: 'refused' }>, way: Way): string {
  const said = detail === '' ? '' : ` It said: ${detail}`
  if (status === 401 || status === 403) {
    return `The key is not accepted: it was paused or belongs to another project. Look at “Projects and keys”.${said}`
  }
  if (status === 404 || status === 405) {
    return way === 'tunnel'
      ? `Nothing accepts envelopes at this path. The proxy must pass it on to the server, and AFTERIMAGE_TUNNEL_PATH must name it.${said}`
      : `Nothing accepts envelopes at the address in the DSN. AFTERIMAGE_BASE_URL must be the address at which browsers reach this server.${said}`
  }
  if (status === 413)
    return `A proxy in front of the server refuses large bodies. Raise its limit to 20 MB.${said}`
  if (status === 429) return `Too many requests were sent recently. Try again in a minute.${said}`
  if (status >= 500) {
    return `The server, or a proxy in front of it, failed. See /readyz and the server’s log for the cause.${said}`
  }
  return `The server refused the envelope.${said}`
}

function blockedWords(by: Blocker, way: Way, address: string): VerdictWords {
  switch (by) {
    case 'policy':
      return {
        title: 'A content security policy blocked it',
        detail: `The page’s policy must allow ${way === 'tunnel' ? "connect-src 'self'" : `connect-src ${originOf(address)}`}. A proxy may have added it.`,
      }
    case 'mixed':
      return {
        title: 'The browser blocked it: the address is not encrypted',
        detail:
          'This page was loaded over https, but the DSN uses http. Set AFTERIMAGE_BASE_URL to the https address.',
      }
    case 'offline':
      return { title: 'The browser is offline', detail: 'Try again when the network is back.' }
    case 'filter':
      return {
        title: 'It was blocked on its way out',
        detail:
          way === 'tunnel'
            ? 'The server answers other requests, but not this one: an ad blocker, an extension or a proxy blocks the path. Set AFTERIMAGE_TUNNEL_PATH to a path that no block list has.'
            : 'The server answers other requests, but not this one: ad blockers and extensions block the addresses of error reporters. Use the tunnel instead.',
      }
    case 'unreachable':
      return {
        title: 'Nothing answers there',
        detail: `This browser cannot reach ${originOf(address)}. ${way === 'tunnel' ? 'Is the server running?' : 'AFTERIMAGE_BASE_URL must be the address at which browsers reach this server.'}`,
      }
  }
}

function originOf(address: string): string {
  return URL.canParse(address) ? new URL(address).origin : address
}
