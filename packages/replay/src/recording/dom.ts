import { record as rrwebRecord } from '@rrweb/record'
import { lostShadowHostsMax } from '../limits.ts'
import { createRewriter } from '../privacy/rewrite.ts'
import type { Masks } from '../privacy/mask.ts'
import { incremental } from './kinds.ts'
import { answerForPage } from './own-page.ts'
import type { EmittedEvent, PageMirror, RrwebRecord } from './rrweb.ts'

const record = rrwebRecord as unknown as RrwebRecord

/** rrweb's ids of nodes, which stay the same until the recording restarts. */
export const mirror: PageMirror = record.mirror

export interface DomListener {
  /** Receives each event of the document, masked, in order of time. */
  emit(event: EmittedEvent): void
  /** Called before a delivery of mutations is processed: false ends the recording instead. */
  mutations(count: number): boolean
}

/** The document as rrweb records it. */
export interface Dom {
  /** Starts with a full snapshot. */
  start(): void
  stop(): void
  /** Takes a full snapshot: the picture no longer depends on earlier events. */
  checkpoint(): void
  /** Releases removed nodes that rrweb still holds. */
  sweep(): void
}

/** Called on each delivery by rrweb's observers, which all recordings of a page share. */
let isTaken: (records: number) => boolean

/**
 * The options of rrweb's own observer, so that browsers share the records; old values imply the
 * changes.
 */
const observed = {
  attributeOldValue: true,
  characterDataOldValue: true,
  childList: true,
  subtree: true,
}

/** Safari on touch screens has no mouse, and drag and drop is slow enough. */
const isTouchApple = 'ongesturechange' in globalThis && navigator.maxTouchPoints > 0

/** Settings that are the same for every page. */
const settings = {
  // `rewrite` masks the texts, in the same task. With these selectors rrweb marks all text by
  // testing the element alone, and never looks inside it.
  maskTextClass: '_,*',
  maskTextSelector: '*',
  maskTextFn: (text: string) => text,
  // By tag, which includes hidden inputs and future types.
  maskInputOptions: { input: true, textarea: true, select: true },
  slimDOMOptions: 'all',
  sampling: { mousemove: !isTouchApple },
  // Errors inside rrweb are ours, and not for the page's handlers.
  errorHandler: () => true,
}

/** Creates the recording of the document, masked, for `listener`. */
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
    // Mutations are counted before they are processed, per document and shadow root.
    isTaken = (records) => listener.mutations(records)
    const rewrite = createRewriter(masks, mirror, keepQuery, (host) => {
      hosts.add(new WeakRef(host))
      const root = host.shadowRoot
      if (isChange && known.has(host) && root?.adoptedStyleSheets[0]) {
        // A moved host is drawn anew, and rrweb records its sheets only when they are set.
        setTimeout(() => (root.adoptedStyleSheets = [...root.adoptedStyleSheets]))
      }
      known.add(host)
    })
    end = record({
      ...settings,
      emit: (event) => {
        if (!observer && !answerForPage((records) => isTaken(records))) {
          // Created before rrweb's, which cannot count, so that it is called first.
          observer = new MutationObserver((records) => isTaken(records.length))
          observer.observe(document, observed)
        }
        isChange = event.type === incremental
        rewrite(event)
        listener.emit(event)
      },
      maskInputFn: masks.input,
      blockSelector: masks.selectors.block,
      ignoreSelector: masks.selectors.ignore,
    })
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
      for (const reference of hosts) {
        const host = reference.deref()
        if (host?.isConnected) continue
        hosts.delete(reference)
        lost++
        // rrweb forgets the host, and not its shadow root.
        host?.shadowRoot?.childNodes.forEach((child) => mirror.removeNodeFromMap(child))
      }
      if (lost > lostShadowHostsMax) start()
    },
  }
}
