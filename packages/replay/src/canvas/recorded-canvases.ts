import { guard } from '@afterimage/sdk-core/guard'
import { patch } from '@afterimage/sdk-core/watch/watch'
import type { Recording } from '../recording-parts.ts'
import type { Selectors } from '../privacy/selectors.ts'
import { canvasMutation, fullSnapshot, incremental, mutation } from '../recording/kinds.ts'
import type { EmittedEvent } from '../recording/rrweb.ts'
import { createDrawings } from './drawings.ts'
import { createEncoder } from './encoder.ts'
import { canvasesMax, framesPerSecond, pictureCharactersMax } from './limits.ts'
import { frameData } from './frame-data.ts'
import type { Frame } from './frame-data.ts'
import { createSpending } from './spending.ts'

/** The settings of `replayCanvas`, complete and within their limits. */
export interface Settings {
  /** 0 takes no pictures but those of `take`. */
  readonly framesPerSecond: number
  readonly quality: number
  readonly sideMax: number
}

interface Canvas {
  readonly element: HTMLCanvasElement
  /** The newest picture that was recorded. */
  frame: Frame | null
  /** The document has changed so that the picture must be recorded once more. */
  isLost: boolean
  isBusy: boolean
  /** Holds images of other hosts: browsers keep its pixels from scripts. */
  isTainted: boolean
}

/** Records pictures of the canvases that may be shown, whenever they have changed. */
export class RecordedCanvases {
  readonly #recording: Recording
  readonly #settings: Settings
  readonly #encoder = createEncoder()
  readonly #mayTake = createSpending()
  readonly #known = new WeakMap<Node, Canvas>()
  /** Those in the document that may be shown. */
  readonly #shown = new Set<Canvas>()
  readonly #drawings = createDrawings((element) => this.#shown.has(this.#known.get(element)!))
  readonly #restore: () => void
  #timer: ReturnType<typeof setInterval> | undefined
  #nextFrame = 0

  constructor(recording: Recording, settings: Settings) {
    this.#recording = recording
    this.#settings = settings
    const hear = (event: EmittedEvent): void => this.#hear(event)
    this.#restore = patch(
      recording.recorder,
      'record',
      (original) =>
        function (event) {
          original.call(this, event)
          guard(() => hear(event as EmittedEvent))
        },
    )
    // The first snapshot came before this part.
    this.#noteAll()
  }

  /** Takes a picture now, unless one is being made. */
  take(element: HTMLCanvasElement): void {
    const canvas = this.#known.get(element)
    if (canvas && this.#shown.has(canvas)) void this.#take(canvas, true)
  }

  close(): void {
    this.#restore()
    this.#rest()
    this.#encoder.close()
  }

  #hear({ type, data }: EmittedEvent): void {
    if (type === fullSnapshot) {
      this.#shown.clear()
      this.#noteAll()
      for (const canvas of this.#shown) this.#record(canvas)
    } else if (type === incremental && data.source === mutation) {
      for (const { node } of data.adds ?? []) {
        // The document of a frame comes whole, other nodes one by one.
        if (node.type === 0) this.#noteAll()
        const { mirror } = this.#recording
        const canvas = node.tagName === 'canvas' && this.#note(mirror.getNode(node.id))
        if (canvas) canvas.isLost = true
      }
    }
  }

  #noteAll(): void {
    const { mirror } = this.#recording
    for (const id of mirror.getIds()) this.#note(mirror.getNode(id))
  }

  /** Notes a node that was recorded; returns its canvas, where it may be shown. */
  #note(node: Node | null): Canvas | null {
    const element = node as HTMLCanvasElement | null
    if (element?.localName !== 'canvas') return null
    if (this.#shown.size >= canvasesMax || !this.#mayBeShown(element)) return null
    const canvas = this.#known.get(element) ?? {
      element,
      frame: null,
      isLost: false,
      isBusy: false,
      isTainted: false,
    }
    this.#known.set(element, canvas)
    this.#shown.add(canvas)
    this.#run()
    return canvas
  }

  #run(): void {
    if (this.#timer !== undefined) return
    this.#drawings.start()
    const ms = 1000 / (this.#settings.framesPerSecond || framesPerSecond)
    this.#timer = setInterval(guard, ms, () => this.#tick())
  }

  #rest(): void {
    clearInterval(this.#timer)
    this.#timer = undefined
    this.#drawings.stop()
    cancelAnimationFrame(this.#nextFrame)
    this.#nextFrame = 0
  }

  #tick(): void {
    for (const canvas of this.#shown) {
      if (!canvas.element.isConnected) this.#shown.delete(canvas)
      else if (canvas.isLost) this.#record(canvas)
      canvas.isLost = false
    }
    const { state } = this.#recording.recorder
    if (this.#shown.size === 0 || state.name !== 'running' || state.isPaused) return this.#rest()
    if (this.#settings.framesPerSecond === 0) return
    // Asked for between two frames, it comes after what the page asked for in the one before: a
    // scene is then drawn.
    this.#nextFrame ||= requestAnimationFrame(() => {
      this.#nextFrame = 0
      for (const canvas of this.#shown) void this.#take(canvas)
    })
  }

  /** Takes a picture; of a drawing that browsers discard, the copy unless it `isFresh`. */
  async #take(canvas: Canvas, isFresh = false): Promise<void> {
    const { element, isBusy, isTainted } = canvas
    if (isBusy || isTainted || element.width * element.height === 0) return
    if (!this.#mayBeShown(element)) return
    const isFleeting = !isFresh && this.#drawings.isFleeting(element)
    canvas.isBusy = true
    try {
      const source = isFleeting ? this.#drawings.take(element) : createImageBitmap(element)
      const bitmap = await source
      if (bitmap) await this.#encode(canvas, bitmap)
    } catch {
      canvas.isTainted = true
    }
    canvas.isBusy = false
  }

  async #encode(canvas: Canvas, bitmap: ImageBitmap): Promise<void> {
    const { width, height } = bitmap
    const { sideMax, quality } = this.#settings
    const scale = Math.min(1, sideMax / Math.max(width, height))
    const sizeOf = (side: number): number => Math.max(1, Math.round(side * scale))
    const size = { width: sizeOf(width), height: sizeOf(height) }
    const url = await this.#encoder.encode({ bitmap, ...size, quality })
    if (url) this.#keep(canvas, { url, width, height })
  }

  #keep(canvas: Canvas, frame: Frame): void {
    if (!this.#shown.has(canvas) || frame.url === canvas.frame?.url) return
    const { length } = frame.url
    if (length > pictureCharactersMax || !this.#mayTake(length, Date.now())) return
    canvas.frame = frame
    this.#record(canvas)
  }

  #record({ element, frame }: Canvas): void {
    const { mirror, recorder } = this.#recording
    const id = mirror.getId(element)
    if (!frame || id < 0) return
    const data = { source: canvasMutation, id, ...frameData(frame) }
    guard(() => recorder.record({ type: incremental, timestamp: Date.now(), data }))
  }

  #mayBeShown(element: Element): boolean {
    return mayBeShown(element, this.#recording.selectors)
  }
}

/**
 * Says whether a canvas may be recorded: as of all media, only one that `unblock` names, and none
 * inside of something masked or blocked. Goes on through shadow hosts and frames.
 */
function mayBeShown(element: Element, { unblock, mask, block }: Selectors): boolean {
  if (!unblock || !element.matches(unblock)) return false
  for (let inside: Element | null | undefined = element; inside;) {
    if (inside.closest(`${mask},${block}`)) return false
    const root = inside.getRootNode() as Partial<ShadowRoot> &
      Partial<Pick<Document, 'defaultView'>>
    inside = root.host ?? root.defaultView?.frameElement
  }
  return true
}
