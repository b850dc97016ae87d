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

/** The canvases of a recorded page. */
export interface RecordedCanvases {
  /** Takes a picture now, unless one is being made. */
  take(element: HTMLCanvasElement): void
  readonly undo: readonly (() => void)[]
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
export function recordCanvases(
  { recorder, mirror, selectors }: Recording,
  settings: Settings,
): RecordedCanvases {
  const encoder = createEncoder()
  const mayTake = createSpending()
  const known = new WeakMap<Node, Canvas>()
  /** Those in the document that may be shown. */
  const shown = new Set<Canvas>()
  const drawings = createDrawings((element) => shown.has(known.get(element)!))
  let timer: ReturnType<typeof setInterval> | undefined
  let nextFrame = 0

  /** Notes a node that was recorded; returns its canvas, where it may be shown. */
  function note(node: Node | null): Canvas | null {
    const element = node as HTMLCanvasElement | null
    if (element?.localName !== 'canvas') return null
    if (shown.size >= canvasesMax || !mayBeShown(element, selectors)) return null
    const canvas = known.get(element) ?? {
      element,
      frame: null,
      isLost: false,
      isBusy: false,
      isTainted: false,
    }
    known.set(element, canvas)
    shown.add(canvas)
    run()
    return canvas
  }

  function noteAll(): void {
    for (const id of mirror.getIds()) note(mirror.getNode(id))
  }

  function hear({ type, data }: EmittedEvent): void {
    if (type === fullSnapshot) {
      shown.clear()
      noteAll()
      shown.forEach(record)
    } else if (type === incremental && data.source === mutation) {
      for (const { node } of data.adds ?? []) {
        // The document of a frame comes whole, other nodes one by one.
        if (node.type === 0) noteAll()
        const canvas = node.tagName === 'canvas' && note(mirror.getNode(node.id))
        if (canvas) canvas.isLost = true
      }
    }
  }

  function run(): void {
    if (timer !== undefined) return
    drawings.start()
    timer = setInterval(guard, 1000 / (settings.framesPerSecond || framesPerSecond), tick)
  }

  function rest(): void {
    clearInterval(timer)
    timer = undefined
    drawings.stop()
    cancelAnimationFrame(nextFrame)
    nextFrame = 0
  }

  function tick(): void {
    for (const canvas of shown) {
      if (!canvas.element.isConnected) shown.delete(canvas)
      else if (canvas.isLost) record(canvas)
      canvas.isLost = false
    }
    const { state } = recorder
    if (shown.size === 0 || state.name !== 'running' || state.isPaused) return rest()
    if (settings.framesPerSecond === 0) return
    // Asked for between two frames, it comes after what the page asked for in the one before: a
    // scene is then drawn.
    nextFrame ||= requestAnimationFrame(() => {
      nextFrame = 0
      shown.forEach((canvas) => void take(canvas))
    })
  }

  async function take(canvas: Canvas, isFresh = false): Promise<void> {
    const { element, isBusy, isTainted } = canvas
    if (isBusy || isTainted || element.width * element.height === 0) return
    if (!mayBeShown(element, selectors)) return
    const isFleeting = !isFresh && drawings.isFleeting(element)
    const source = isFleeting ? drawings.take(element) : createImageBitmap(element)
    if (!source) return
    canvas.isBusy = true
    try {
      const bitmap = await source
      if (bitmap) await encode(canvas, bitmap)
    } catch {
      canvas.isTainted = true
    }
    canvas.isBusy = false
  }

  async function encode(canvas: Canvas, bitmap: ImageBitmap): Promise<void> {
    const { width, height } = bitmap
    const scale = Math.min(1, settings.sideMax / Math.max(width, height))
    const sizeOf = (side: number): number => Math.max(1, Math.round(side * scale))
    const url = await encoder.encode({
      bitmap,
      width: sizeOf(width),
      height: sizeOf(height),
      quality: settings.quality,
    })
    if (url) keep(canvas, { url, width, height })
  }

  function keep(canvas: Canvas, frame: Frame): void {
    if (!shown.has(canvas) || frame.url === canvas.frame?.url) return
    const { length } = frame.url
    if (length > pictureCharactersMax || !mayTake(length, Date.now())) return
    canvas.frame = frame
    record(canvas)
  }

  function record({ element, frame }: Canvas): void {
    const id = mirror.getId(element)
    if (!frame || id < 0) return
    const data = { source: canvasMutation, id, ...frameData(frame) }
    guard(() => recorder.record({ type: incremental, timestamp: Date.now(), data }))
  }

  const restore = patch(
    recorder,
    'record',
    (original) =>
      function (this: unknown, event) {
        original.call(this, event)
        guard(() => hear(event as EmittedEvent))
      },
  )
  // The first snapshot came before this part.
  noteAll()

  return {
    take(element) {
      const canvas = known.get(element)
      if (canvas && shown.has(canvas)) void take(canvas, true)
    },
    undo: [restore, rest, encoder.close],
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
