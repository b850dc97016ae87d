/** Through the application's own host, or straight to the server that the DSN names. */
export type Way = 'tunnel' | 'direct'

/** What came of one envelope. */
export type Verdict =
  | { readonly type: 'arrived'; readonly ms: number }
  /** Accepted, and not to be found within the time that was waited. */
  | { readonly type: 'unseen'; readonly waitedMs: number }
  | { readonly type: 'refused'; readonly status: number; readonly detail: string }
  /** Somebody answered, and it was not this server. */
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

/** A verdict in words: what happened, and what to do about it. `address` is where it was sent. */
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
        detail: `The server took the envelope and had not stored it ${Math.round(verdict.waitedMs / 1000)} s later. Look at the queue under “This server”, and at the log of the role process.`,
      }
    case 'refused':
      return { title: `Refused with ${verdict.status}`, detail: refusalWords(verdict, way) }
    case 'foreign':
      return {
        title: 'Something else answered',
        detail: `${verdict.status === 0 ? 'A redirect' : `An answer with status ${verdict.status}`} came from ${address}, and it was not this server’s: a proxy or a sign-in page stands before it. Let POST requests to this address pass through.`,
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
      ? `Nobody takes envelopes at this path. The proxy before the server must hand it on, and AFTERIMAGE_TUNNEL_PATH must name it.${said}`
      : `Nobody takes envelopes at the address of the DSN. AFTERIMAGE_BASE_URL must be where people reach this server.${said}`
  }
  if (status === 413)
    return `A proxy before the server allows only small bodies. Let it allow 20 MB.${said}`
  if (status === 429) return `Too much was sent lately. Try again in a minute.${said}`
  if (status >= 500) {
    return `The server, or a proxy before it, failed. /readyz and the server’s log say why.${said}`
  }
  return `The server would not take the envelope.${said}`
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
          'This page came by https and the DSN says http. Set AFTERIMAGE_BASE_URL to the https address.',
      }
    case 'offline':
      return { title: 'The browser is offline', detail: 'Try again when there is a network.' }
    case 'filter':
      return {
        title: 'It was blocked on its way out',
        detail:
          way === 'tunnel'
            ? 'The server answers other requests, but this one never got an answer: an ad blocker, an extension or a proxy knows the path. Choose a path that no list knows with AFTERIMAGE_TUNNEL_PATH.'
            : 'The server answers other requests, but this one never got an answer: ad blockers and extensions know the addresses of error reporting. This is what the tunnel is for.',
      }
    case 'unreachable':
      return {
        title: 'Nothing answers there',
        detail: `${originOf(address)} cannot be reached from this browser. ${way === 'tunnel' ? 'Is the server running?' : 'AFTERIMAGE_BASE_URL must be where people reach this server.'}`,
      }
  }
}

function originOf(address: string): string {
  return URL.canParse(address) ? new URL(address).origin : address
}
