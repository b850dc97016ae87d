import { expect, test } from 'vitest'
import type { ApiFrame } from '@afterimage/protocol/api/event'
import { framesMax, framesToShow } from './frames-to-show.ts'

function frame(name: string, inApp: boolean, lineNo: number | null = 7): ApiFrame {
  return {
    filename: `app:///${name}.js`,
    absPath: null,
    module: null,
    package: null,
    function: name,
    rawFunction: null,
    lineNo,
    colNo: null,
    inApp,
    context: [[7, 'price.amount']],
    vars: { secret: 'kept at home' },
    platform: null,
  }
}
const trace = (...frames: ApiFrame[]) => ({ frames, framesOmitted: null, hasSystemFrames: true })

test('frames stand newest first, with code around the first one of the application only', () => {
  const shown = framesToShow(trace(frame('main', true), frame('total', true), frame('lib', false)))
  expect(shown.map((one) => [one.name, one.place, one.lines.length])).toEqual([
    ['lib', 'lib.js:7', 0],
    ['total', 'total.js:7', 1],
    ['main', 'main.js:7', 0],
  ])
  expect(JSON.stringify(shown)).not.toContain('kept at home')
})

test('a deep stack is cut, an empty one stays empty', () => {
  const deep = Array.from({ length: 300 }, (_, index) => frame(`f${index}`, false, null))
  expect(framesToShow(trace(...deep))).toHaveLength(framesMax)
  expect(framesToShow(null)).toEqual([])
})
