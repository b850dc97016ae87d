import type { RecordingEvent } from '@afterimage/protocol/api/replay'
import type { DrawnEvents } from './drawn-events.ts'
import { mediaAt, type MediaState } from '../page/media-state.ts'
import { RecordedPage } from '../page/recorded-page.ts'
import { moveAnimations } from './animations.ts'
import { pictureAt, sizeAtStart, snapshotsOf, type PicturePlan } from './picture-at.ts'
import { PointerDrawing, pointerStyles } from './pointer-drawing.ts'
import { pointerAt, pointerTrack, type PointerPoint } from './pointer-track.ts'

/** The picture of the recorded page. */
export interface Stage {
  /**
   * Draws the moment `at`, ms since the start, at once and wholly: whatever was drawn before, the document is
   * then that of a fresh stage at the same moment. `speed` is how fast time passes meanwhile, 0 at rest.
   */
  draw(at: number, speed: number): void
  /** Draws from other events from now on: more of them have arrived. Nothing changes until the next `draw`. */
  setEvents(drawn: DrawnEvents): void
  /** The recorded document as it is drawn now. */
  document(): Document | null
  close(): void
}

export interface StageCallbacks {
  /** The size of the recorded window, in CSS px. */
  onSize(size: { readonly width: number; readonly height: number }): void
}

/**
 * The policy of the frame in which a recording is drawn. The frame's own document states it; the frame of the
 * page inside is an `about:blank` and inherits it, and so do the frames of the recording.
 */
const hostDocument = `<!doctype html><html><head>
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data: blob:">
<meta http-equiv="x-dns-prefetch-control" content="off">
<meta name="referrer" content="no-referrer">
<style>
:root{color-scheme:only light}
html,body{margin:0;height:100%;overflow:hidden;background:#fff}
.recorded-page{position:absolute;left:0;top:0;transform-origin:0 0}
.recorded-page iframe{border:0;background:#fff;display:block;pointer-events:none}
${pointerStyles}
</style></head><body></body></html>`

/** Opens a stage in `root`: a sandboxed frame without scripts whose document allows no request. */
export async function openStage(
  root: HTMLElement,
  drawn: DrawnEvents,
  callbacks: StageCallbacks,
): Promise<Stage> {
  return new FramedStage(await openHost(root), drawn, callbacks)
}

class FramedStage implements Stage {
  readonly #host: HTMLIFrameElement
  readonly #wrapper: HTMLElement
  readonly #pointer: PointerDrawing
  readonly #callbacks: StageCallbacks
  readonly #observer: ResizeObserver
  #drawn!: DrawnEvents
  #snapshots: readonly number[] = []
  #track: readonly PointerPoint[] = []
  #shown: Shown | null = null
  #size = { width: 0, height: 0 }

  constructor(host: HTMLIFrameElement, drawn: DrawnEvents, callbacks: StageCallbacks) {
    const body = host.contentDocument?.body
    if (body === undefined) throw new Error('The player’s frame was removed.')
    this.#host = host
    this.#callbacks = callbacks
    this.#wrapper = body.ownerDocument.createElement('div')
    this.#wrapper.className = 'recorded-page'
    this.#pointer = new PointerDrawing(body.ownerDocument)
    this.#wrapper.append(this.#pointer.element)
    body.append(this.#wrapper)
    this.setEvents(drawn)
    this.#observer = new ResizeObserver(() => this.#fit())
    this.#observer.observe(host)
  }

  setEvents(drawn: DrawnEvents): void {
    this.#drawn = drawn
    this.#snapshots = snapshotsOf(drawn.events)
    this.#track = pointerTrack(drawn.events)
  }

  draw(at: number, speed: number): void {
    const { events, startedAt, media } = this.#drawn
    const time = startedAt + at
    const plan = pictureAt(events, this.#snapshots, time)
    if (plan === null) return
    const state = mediaAt(media, time)
    const isJump = !continues(this.#shown, plan, state, events)
    const shown = isJump ? this.#begin(plan.snapshot, state) : (this.#shown as Shown)
    const from = this.#snapshotTime(plan.snapshot)
    this.#shown = shown
    this.#advance(shown, plan.until)
    this.#pointer.draw(pointerAt(this.#track, time, from), shown.page)
    moveAnimations(shown.page.documents(), { at: time - from, speed, isJump })
  }

  document(): Document | null {
    return this.#shown?.page.document ?? null
  }

  close(): void {
    this.#observer.disconnect()
    this.#host.remove()
  }

  /** Builds a page in a frame of its own, so that nothing of the one before it is left. */
  #begin(snapshot: number, media: MediaState): Shown {
    const { events } = this.#drawn
    const frame = pageFrame(this.#wrapper.ownerDocument)
    this.#wrapper.prepend(frame)
    this.#setSize(frame, sizeAtStart(events, snapshot) ?? this.#size)
    const doc = frame.contentDocument
    const event = events[snapshot]
    if (doc === null || event === undefined) throw new Error('The page’s frame was removed.')
    const page = new RecordedPage(doc, event, media)
    this.#shown?.frame.remove()
    this.#shown = null
    return { frame, page, media, snapshot: event, last: event, next: snapshot + 1 }
  }

  #advance(shown: Shown, until: number): void {
    const { events } = this.#drawn
    if (shown.next >= until) return
    for (; shown.next < until; shown.next += 1) {
      const event = events[shown.next]
      if (event === undefined) break
      shown.page.apply(event)
      shown.last = event
    }
    if (shown.page.size !== null) this.#setSize(shown.frame, shown.page.size)
    shown.page.settle()
  }

  #snapshotTime(snapshot: number): number {
    return this.#drawn.events[snapshot]?.timestamp ?? 0
  }

  #setSize(frame: HTMLIFrameElement, size: { width: number; height: number }): void {
    frame.setAttribute('width', String(size.width))
    frame.setAttribute('height', String(size.height))
    if (size.width === this.#size.width && size.height === this.#size.height) return
    this.#size = size
    this.#fit()
    this.#callbacks.onSize(size)
  }

  #fit(): void {
    const { width, height } = this.#size
    if (width <= 0 || height <= 0) return
    const { clientWidth, clientHeight } = this.#host
    const scale = Math.min(clientWidth / width, clientHeight / height)
    const left = (clientWidth - width * scale) / 2
    const top = Math.max(0, (clientHeight - height * scale) / 2)
    this.#wrapper.style.cssText = `width:${width}px;height:${height}px;transform:translate(${left}px, ${top}px) scale(${scale})`
  }
}

/** The page that is drawn, and how far. */
interface Shown {
  readonly frame: HTMLIFrameElement
  readonly page: RecordedPage
  readonly media: MediaState
  readonly snapshot: RecordingEvent
  last: RecordingEvent
  next: number
}

/** True when the picture of `plan` is what is shown and only lacks what came after. */
function continues(
  shown: Shown | null,
  plan: PicturePlan,
  media: MediaState,
  events: readonly RecordingEvent[],
): boolean {
  if (shown === null || events[plan.snapshot] !== shown.snapshot) return false
  if (events[shown.next - 1] !== shown.last || shown.next > plan.until) return false
  return (
    shown.media.colorScheme === media.colorScheme &&
    shown.media.isMotionReduced === media.isMotionReduced
  )
}

function pageFrame(document: Document): HTMLIFrameElement {
  const frame = document.createElement('iframe')
  frame.setAttribute('sandbox', 'allow-same-origin')
  frame.setAttribute('scrolling', 'no')
  return frame
}

async function openHost(root: HTMLElement): Promise<HTMLIFrameElement> {
  const host = document.createElement('iframe')
  host.setAttribute('sandbox', 'allow-same-origin')
  host.setAttribute('referrerpolicy', 'no-referrer')
  host.setAttribute('title', 'The recorded page')
  host.setAttribute('tabindex', '-1')
  host.style.cssText = 'border:0;width:100%;height:100%;display:block;color-scheme:only light'
  const loaded = new Promise<void>((resolve) =>
    host.addEventListener('load', () => resolve(), { once: true }),
  )
  host.srcdoc = hostDocument
  root.replaceChildren(host)
  await loaded
  return host
}
