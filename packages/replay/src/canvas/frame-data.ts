/** The picture of a canvas. */
export interface Frame {
  /** Data URL in base64. */
  readonly url: string
  /** Size of the canvas in px; the picture may be smaller. */
  readonly width: number
  readonly height: number
}

/**
 * Returns the commands by which rrweb and Sentry's client record a picture: players clear the
 * canvas, and draw the picture over all of it.
 * @see https://github.com/rrweb-io/rrweb/blob/main/packages/rrweb/src/record/observers/canvas/canvas-manager.ts
 */
export function frameData({ url, width, height }: Frame): {
  readonly type: number
  readonly commands: readonly { readonly property: string; readonly args: readonly unknown[] }[]
} {
  const [, type, base64] = /^data:([^;]*);base64,(.*)$/s.exec(url) ?? []
  const blob = { rr_type: 'Blob', data: [{ rr_type: 'ArrayBuffer', base64 }], type }
  const image = { rr_type: 'ImageBitmap', args: [blob] }
  return {
    // A 2D context.
    type: 0,
    commands: [
      { property: 'clearRect', args: [0, 0, width, height] },
      { property: 'drawImage', args: [image, 0, 0, width, height] },
    ],
  }
}
