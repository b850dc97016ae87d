import { record as rrwebRecord } from '@rrweb/record'
import { lostShadowHostsMax } from '../limits.ts'
import { createRewriter } from '../privacy/rewrite.ts'
import type { Masks } from '../privacy/mask.ts'
import { incremental } from './kinds.ts'
import { answerForPage } from './own-page.ts'
import type { EmittedEvent, Mirror, RrwebRecord } from './rrweb.ts'

const record = rrwebRecord as unknown as RrwebRecord

/** rrweb's names of nodes, which are the same until the recording starts anew. */
export const mirror: Mirror = record.mirror

export interface DomListener {
  /** What happened in the document, masked. Comes in the order of time. */
  emit(event: EmittedEvent): void
  /** Before a delivery of mutations is looked at: false ends the recording instead. */
  mutations(count: number): boolean
}

/** The document as rrweb records it. */
export interface Dom {
  /** Starts with a full snapshot. */
  start(): void
  stop(): void
  /** Takes a full snapshot now: what came before is not needed to draw what comes after. */
  checkpoint(): void
  /** Lets go of what left the document and rrweb still holds. */
  sweep(): void
}

/** Asked of each delivery by rrweb's observers, which all recordings of a page share. */
let isTaken: (records: number) => boolean

/** As rrweb's own, so that browsers make each record once for both; old values imply the changes. */
const observed = {
  attributeOldValue: true,
  characterDataOldValue: true,
  childList: true,
  subtree: true,
}

/** Safari on touch screens: there is no mouse, and drag and drop is slow enough. */
const isTouchApple = 'ongesturechange' in globalThis && navigator.maxTouchPoints > 0

/** The same for every page. */
const settings = {
  // `rewrite` masks texts, in the same task; asked in this way rrweb looks no further than the
  // element itself for what to mask, and not at all inside of it.
  maskTextClass: '_,*',
  maskTextSelector: '*',
  maskTextFn: (text: string) => text,
  // By tag, so that hidden inputs and types of the future are among them.
  maskInputOptions: { input: true, textarea: true, select: true },
  slimDOMOptions: 'all',
  sampling: { mousemove: !isTouchApple },
  // An error inside of rrweb is ours, and no event for the page's handlers.
  errorHandler: () => true,
}

/**
 * What moves is drawn anew, and rrweb tells only once which style sheets a shadow root has adopted:
 * it hears of those that are set.
 */
function adoptAgain(root: ShadowRoot | null): void {
  if (!root?.adoptedStyleSheets[0]) return
  setTimeout(() => {
    root.adoptedStyleSheets = [...root.adoptedStyleSheets]
  })
}

/** Records the document, masked, and tells `listener`. */
export function createDom(
  masks: Masks,
  keepQuery: readonly string[] | undefined,
  listener: DomListener,
): Dom {
  const hosts = new Set<WeakRef<Element>>()
  const known = new WeakSet<Element>()
  let isChange = false
  let lost = 0
  let end: (() => void) | undefined
  let observer: MutationObserver | undefined

  function start(): void {
    stop()
    // A storm is counted before it is worked off, per document and shadow root.
    isTaken = (records) => {
      const isFew = listener.mutations(records)
      if (!isFew) stop()
      return isFew
    }
    const rewrite = createRewriter(masks, mirror, keepQuery, (host) => {
      hosts.add(new WeakRef(host))
      if (isChange && known.has(host)) adoptAgain(host.shadowRoot)
      known.add(host)
    })
    end = record({
      ...settings,
      emit: (event) => {
        if (!answerForPage((records) => isTaken(records))) count()
        isChange = event.type === incremental
        rewrite(event)
        listener.emit(event)
      },
      maskInputFn: masks.input,
      blockSelector: masks.selectors.block,
      ignoreSelector: masks.selectors.ignore,
    })
  }

  /** Counts where rrweb's observers do not; made before them, so that it is called first. */
  function count(): void {
    if (observer) return
    observer = new MutationObserver((records) => isTaken(records.length))
    observer.observe(document, observed)
  }

  function stop(): void {
    end?.()
    observer?.disconnect()
    end = observer = undefined
    hosts.clear()
    lost = 0
  }

  return {
    start,
    stop,
    checkpoint() {
      if (end) record.takeFullSnapshot(true)
    },
    sweep() {
      lost += forgetGone(hosts)
      if (lost > lostShadowHostsMax) start()
    },
  }
}

/**
 * rrweb forgets nodes that are removed, but not what was in their shadow roots. Returns the number of
 * hosts that are gone.
 */
function forgetGone(hosts: Set<WeakRef<Element>>): number {
  let gone = 0
  for (const reference of hosts) {
    const host = reference.deref()
    if (host?.isConnected) continue
    hosts.delete(reference)
    gone += 1
    host?.shadowRoot?.childNodes.forEach((child) => mirror.removeNodeFromMap(child))
  }
  return gone
}
