import type { EventFrame } from '@afterimage/protocol/event'
import type { SdkEvent } from '@afterimage/sdk-core/event'
import { expect, test } from 'vitest'
import { rewriteFrames } from './rewrite-frames.ts'
import type { RewriteFramesOptions } from './rewrite-frames.ts'

const files = ['https://shop.test/build/a.js', 'https://cdn.test/b.js']

function rewritten(options?: RewriteFramesOptions): SdkEvent {
  const frames: EventFrame[] = files.map((filename) => ({ filename, lineno: 1, in_app: true }))
  const images = files.map((code_file) => ({
    type: 'sourcemap' as const,
    code_file,
    debug_id: code_file,
  }))
  const event: SdkEvent = {
    exception: { values: [{ type: 'Error' }, { type: 'Error', stacktrace: { frames } }] },
    debug_meta: { images },
  }
  return rewriteFrames(options).processEvent!(event, {}, null as never)!
}

test('a root is replaced by the prefix, in frames and in debug images', () => {
  expect(rewritten({ root: 'https://shop.test/build/' })).toMatchObject({
    exception: {
      values: [
        { type: 'Error' },
        {
          stacktrace: { frames: [{ filename: 'app:///a.js', lineno: 1 }, { filename: files[1] }] },
        },
      ],
    },
    debug_meta: {
      images: [{ code_file: 'app:///a.js', debug_id: files[0] }, { code_file: files[1] }],
    },
  })
})

test('a function of the page makes the frames instead', () => {
  const { exception } = rewritten({
    iteratee: (frame) => ({ ...frame, in_app: !frame.filename?.includes('cdn') }),
  })
  expect(exception?.values[1]?.stacktrace?.frames.map((it) => it.in_app)).toEqual([true, false])
})

test('without options, and for messages, nothing changes', () => {
  expect(rewritten().exception?.values[1]?.stacktrace?.frames[0]?.filename).toBe(files[0])
  const message: SdkEvent = { message: 'hello' }
  expect(rewriteFrames().processEvent!(message, {}, null as never)).toBe(message)
})
