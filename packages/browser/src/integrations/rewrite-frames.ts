import type { EventFrame } from '@afterimage/protocol/event'
import type { Integration } from '@afterimage/sdk-core/integration'

export interface RewriteFramesOptions {
  /** Beginning of addresses that `prefix` replaces, such as `https://shop.example.com/static/`. */
  readonly root?: string
  /** `app:///` by default. */
  readonly prefix?: string
  /** Returns the frame to be sent, instead of `root` and `prefix`. */
  readonly iteratee?: (frame: EventFrame) => EventFrame
}

/** Rewrites the addresses in stack frames, and the debug ids of their files with them. */
export function rewriteFrames(options: RewriteFramesOptions = {}): Integration {
  const { root, prefix = 'app:///' } = options
  const rename = (frame: EventFrame): EventFrame =>
    root && frame.filename?.startsWith(root)
      ? { ...frame, filename: prefix + frame.filename.slice(root.length) }
      : frame
  const { iteratee = rename } = options
  return {
    name: 'rewriteFrames',
    processEvent(event) {
      if (!event.exception) return event
      const renamed = new Map<string | undefined, string | undefined>()
      const rewrite = (frame: EventFrame): EventFrame => {
        const rewritten = iteratee({ ...frame }) ?? frame
        renamed.set(frame.filename, rewritten.filename)
        return rewritten
      }
      const values = event.exception.values.map((value) =>
        value.stacktrace
          ? {
              ...value,
              stacktrace: {
                ...value.stacktrace,
                frames: value.stacktrace.frames.map(rewrite),
              },
            }
          : value,
      )
      // A source map is found by the address in the frames.
      const images = event.debug_meta?.images.map((image) => ({
        ...image,
        code_file: renamed.get(image.code_file) ?? image.code_file,
      }))
      return { ...event, exception: { values }, ...(images && { debug_meta: { images } }) }
    },
  }
}
