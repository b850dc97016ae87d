import { record as rrwebRecord } from '@rrweb/record'
import { lostShadowHostsMax } from '../limits.ts'
import { createRewriter } from '../privacy/rewrite.ts'
import type { Rewriter } from '../privacy/rewrite.ts'
import type { Masks } from '../privacy/mask.ts'
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

export class DomRecording implements Dom {
  readonly #masks: Masks
  readonly #keepQuery: readonly string[] | undefined
  readonly #listener: DomListener
  #stop: (() => void) | undefined
  #observer: MutationObserver | undefined
  #hosts = new Set<WeakRef<Element>>()
  #lost = 0

  constructor(masks: Masks, keepQuery: readonly string[] | undefined, listener: DomListener) {
    this.#masks = masks
    this.#keepQuery = keepQuery
    this.#listener = listener
  }

  start(): void {
    this.stop()
    // A storm is counted before it is worked off, per document and shadow root.
    isTaken = (records) => {
      const isFew = this.#listener.mutations(records)
      if (!isFew) this.stop()
      return isFew
    }
    const rewrite = createRewriter(this.#masks, mirror, this.#keepQuery, (host) =>
      this.#hosts.add(new WeakRef(host)),
    )
    this.#stop = this.#record(rewrite)
  }

  stop(): void {
    this.#stop?.()
    this.#observer?.disconnect()
    this.#stop = this.#observer = undefined
    this.#hosts.clear()
    this.#lost = 0
  }

  checkpoint(): void {
    if (this.#stop) record.takeFullSnapshot(true)
  }

  /** rrweb forgets nodes that are removed, but not what was in their shadow roots. */
  sweep(): void {
    for (const reference of this.#hosts) {
      const host = reference.deref()
      if (host?.isConnected) continue
      this.#hosts.delete(reference)
      this.#lost += 1
      host?.shadowRoot?.childNodes.forEach((child) => mirror.removeNodeFromMap(child))
    }
    if (this.#lost > lostShadowHostsMax) this.start()
  }

  /** Counts where rrweb's observers do not; made before them, so that it is called first. */
  #count(): void {
    if (this.#observer) return
    this.#observer = new MutationObserver((records) => isTaken(records.length))
    this.#observer.observe(document, observed)
  }

  #record(rewrite: Rewriter): (() => void) | undefined {
    const { selectors, input } = this.#masks
    return record({
      emit: (event) => {
        if (!answerForPage((records) => isTaken(records))) this.#count()
        rewrite(event)
        this.#listener.emit(event)
      },
      // `rewrite` masks texts, in the same task; asked in this way rrweb looks no further than the
      // element itself for what to mask, and not at all inside of it.
      maskTextClass: '_,*',
      maskTextSelector: '*',
      maskTextFn: (text: string) => text,
      // By tag, so that hidden inputs and types of the future are among them.
      maskInputOptions: { input: true, textarea: true, select: true },
      maskInputFn: input,
      blockSelector: selectors.block,
      ignoreSelector: selectors.ignore,
      slimDOMOptions: 'all',
      sampling: { mousemove: !isTouchApple },
      // An error inside of rrweb is ours, and no event for the page's handlers.
      errorHandler: () => true,
    })
  }
}
