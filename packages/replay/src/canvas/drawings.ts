import { patch } from '@afterimage/sdk-core/watch/watch'
import type { Method } from '@afterimage/sdk-core/watch/watch'
import { guard } from '@afterimage/sdk-core/guard'
import { copyMs } from './limits.ts'

/** Methods of WebGL that change what a canvas shows; nearly every scene begins with the first. */
const draws = [
  'clear',
  'drawArrays',
  'drawArraysInstanced',
  'drawElements',
  'drawElementsInstanced',
  'drawRangeElements',
]

/** A WebGL canvas whose drawing browsers discard once it was shown. */
interface Drawing {
  isDue: boolean
  copy: Promise<ImageBitmap | null> | null
}

/** Copies of drawings that browsers are about to discard. */
export interface Drawings {
  /** Patches WebGL; `stop` restores it. */
  start(): void
  stop(): void
  /** Says whether the canvas can be read only while it is drawn. */
  isFleeting(canvas: HTMLCanvasElement): boolean
  /** Returns the newest copy, once; null when nothing was drawn since. */
  take(canvas: HTMLCanvasElement): Promise<ImageBitmap | null> | null
}

/**
 * Keeps the newest drawing of each WebGL canvas without `preserveDrawingBuffer` that is `wanted`.
 * The drawing is whole when the task that makes it ends, and readable until the browser shows it:
 * a microtask is between the two.
 */
export function createDrawings(wanted: (canvas: HTMLCanvasElement) => boolean): Drawings {
  const byContext = new WeakMap<object, Drawing | null>()
  const byCanvas = new WeakMap<HTMLCanvasElement, Drawing>()
  let undo: (() => void)[] = []

  function meet(context: WebGLRenderingContext): Drawing | null {
    const { canvas } = context
    const isFleeting =
      'isConnected' in canvas && !context.getContextAttributes()?.preserveDrawingBuffer
    const drawing = isFleeting ? { isDue: true, copy: null } : null
    byContext.set(context, drawing)
    if (drawing) byCanvas.set(canvas as HTMLCanvasElement, drawing)
    return drawing
  }

  function drawn(context: WebGLRenderingContext): void {
    const drawing = byContext.get(context) ?? (byContext.has(context) ? null : meet(context))
    const canvas = context.canvas as HTMLCanvasElement
    if (!drawing?.isDue || !wanted(canvas)) return
    drawing.isDue = false
    setTimeout(() => (drawing.isDue = true), copyMs)
    queueMicrotask(() => {
      drop(drawing)
      drawing.copy = createImageBitmap(canvas).catch(() => null)
    })
  }

  return {
    start() {
      if (undo.length > 0) return
      undo = [globalThis.WebGLRenderingContext, globalThis.WebGL2RenderingContext].flatMap((it) =>
        it ? draws.map((name) => patch(it.prototype, name, (draw) => watched(draw, drawn))) : [],
      )
    },
    stop() {
      for (const step of undo.splice(0)) step()
    },
    isFleeting: (canvas) => byCanvas.has(canvas),
    take(canvas) {
      const drawing = byCanvas.get(canvas)
      const copy = drawing?.copy ?? null
      if (drawing) drawing.copy = null
      return copy
    },
  }
}

function drop(drawing: Drawing): void {
  void drawing.copy?.then((bitmap) => bitmap?.close())
}

function watched(draw: Method, drawn: (context: WebGLRenderingContext) => void): Method {
  return function (...values) {
    const answer = draw.apply(this, values)
    guard(() => drawn(this as WebGLRenderingContext))
    return answer
  }
}
