import { fieldsOf, listOf, numberOf, type Fields } from '../timeline/recorded.ts'
import { applyAttribute } from './apply-attribute.ts'
import type { PageParts } from './page-parts.ts'

/**
 * The pictures of canvases. Recorders send each as two calls, one that clears the canvas and one that draws a
 * picture over all of it; other calls are not drawn, since they depend on those before them.
 */
export class CanvasPictures {
  /** The newest picture of each canvas, by its id. */
  readonly #newest = new Map<number, Picture>()
  readonly #shown = new WeakMap<Element, Picture>()

  /** Takes an event of a canvas. It is shown by `show`. */
  note(data: Fields): void {
    const id = numberOf(data['id'])
    const picture = listOf(data['commands']).map(pictureOf).findLast(Boolean) ?? null
    if (id !== null && picture !== null) this.#newest.set(id, picture)
  }

  /** Draws what is not drawn yet, also into canvases that were moved, and so built again. */
  show(page: PageParts): void {
    for (const [id, picture] of this.#newest) {
      const canvas = page.nodes.element(id)
      if (canvas?.localName !== 'canvas' || this.#shown.get(canvas) === picture) continue
      this.#shown.set(canvas, picture)
      const base64 = picture.base64.replaceAll(/[^\w+/=]/g, '')
      applyAttribute(canvas, 'rr_dataURL', `data:${picture.type};base64,${base64}`, page)
    }
  }
}

interface Picture {
  readonly type: string
  readonly base64: string
}

/** Reads the picture that a call draws; null for other calls. */
function pictureOf(command: unknown): Picture | null {
  const { property, args } = fieldsOf(command)
  const [image] = listOf(args).map(fieldsOf)
  if (property !== 'drawImage' || image?.['rr_type'] !== 'ImageBitmap') return null
  const [blob] = listOf(image['args']).map(fieldsOf)
  const [buffer] = listOf(blob?.['data']).map(fieldsOf)
  const type = blob?.['type']
  const base64 = buffer?.['base64']
  if (typeof type !== 'string' || !/^image\/(?:webp|png|jpeg)$/.test(type)) return null
  return typeof base64 === 'string' ? { type, base64 } : null
}
