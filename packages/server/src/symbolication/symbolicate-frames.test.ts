import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { zstdCompressSync } from 'node:zlib'
import type { EventFrame, NormalizedEvent } from '@afterimage/protocol/event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Artifact, FoundArtifacts, WantedArtifacts } from '../source-maps/artifacts.ts'
import { openDirectoryBlobs } from '../storage/blobs/directory-blobs.ts'
import type { Blobs } from '../storage/blobs/port.ts'
import { buildScript, placeOf, type BuiltScript } from './built-script.fixture.ts'
import { CompiledMaps } from './compiled-maps.ts'
import { symbolicateFrames } from './symbolicate-frames.ts'

let folder: string
let blobs: Blobs
let maps: CompiledMaps
const log = { warn: vi.fn() }

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'afterimage-symbolicate-'))
  blobs = await openDirectoryBlobs(join(folder, 'blobs'))
  maps = new CompiledMaps(join(folder, 'maps'))
  log.warn.mockReset()
})

afterEach(async () => {
  await maps.close()
  await blobs.close()
  rmSync(folder, { recursive: true })
})

const url = 'https://shop.example/assets/cart.js'
const built = buildScript(undefined, '../../src/cart.ts')

async function upload(kind: Artifact['kind'], name: string, text: string): Promise<Artifact> {
  const sha1 = createHash('sha1').update(text).digest('hex')
  const blobKey = `uploads/${sha1}`
  await blobs.put(blobKey, zstdCompressSync(text))
  const bytes = Buffer.byteLength(text)
  return { kind, url: `~/${name}`, debugId: null, sha1, blobKey, bytes, sourceMapReference: null }
}

async function uploaded({ script, map }: Partial<BuiltScript>): Promise<FoundArtifacts> {
  const minified = script === undefined ? null : await upload('minified_source', 'cart.js', script)
  const sourceMap = map === undefined ? null : await upload('source_map', 'cart.js.map', map)
  return { minified, sourceMap, resolvedWith: 'release' }
}

/** The frame of a text of the script. */
function frameAt(text: string, more: Partial<EventFrame> = {}): EventFrame {
  const { line, column } = placeOf(built.script, text)
  return {
    abs_path: url,
    function: 'tU',
    lineno: line + 1,
    colno: column + 1,
    in_app: true,
    ...more,
  }
}

function eventOf(frames: EventFrame[], more: Partial<NormalizedEvent> = {}): NormalizedEvent {
  return {
    event_id: 'ab'.repeat(16),
    type: 'error',
    timestamp: 1,
    client_timestamp: 1,
    received: 1,
    platform: 'javascript',
    level: 'error',
    tags: {},
    contexts: {},
    release: 'shop@1',
    exception: [{ type: 'RangeError', stacktrace: { frames } }],
    ...more,
  }
}

async function symbolicate(
  event: NormalizedEvent,
  found: FoundArtifacts | null | ((wanted: WantedArtifacts) => FoundArtifacts | null),
): Promise<EventFrame[]> {
  const find = async (wanted: WantedArtifacts) =>
    typeof found === 'function' ? found(wanted) : found
  await symbolicateFrames(event, { id: 7, generation: 1 }, { search: { find }, blobs, maps, log })
  return event.exception![0]!.stacktrace!.frames
}

test('a frame gets path, line, function, and five lines around it; the original is kept', async () => {
  const original = frameAt('new RangeError', { vars: { a: 1 }, context_line: 'minified' })
  const event = eventOf([original])
  const [frame] = await symbolicate(event, await uploaded(built))
  expect(frame).toEqual({
    filename: 'src/cart.ts',
    abs_path: 'https://shop.example/src/cart.ts',
    module: 'src/cart',
    function: 'payment',
    raw_function: 'tU',
    lineno: 12,
    colno: 29,
    in_app: true,
    vars: { a: 1 },
    pre_context: [
      '  }',
      '  total = () => this.#items.reduce((sum, item) => sum + item.price, 0)',
      '}',
      'export function checkout(cart: Cart): number {',
      '  const payment = (amount: number): number => {',
    ],
    context_line: "    if (amount > 100) throw new RangeError('the amount is too large')",
    post_context: [
      '    return amount',
      '  }',
      '  return payment(cart.total()) + payment(1)',
      '}',
      '',
    ],
    data: { sourcemap: '~/cart.js.map', symbolicated: true, resolved_with: 'release' },
  })
  expect(event.exception![0]!.raw_stacktrace).toEqual({ frames: [original] })
  expect(event.symbolication).toEqual({
    scripts: [
      {
        url,
        resolved_with: 'release',
        script: '~/cart.js',
        source_map: '~/cart.js.map',
        frames: 1,
        mapped: 1,
      },
    ],
  })
})

test('a script is looked for by the debug id of its image, its release and its address', async () => {
  const wanted: WantedArtifacts[] = []
  const images = [{ type: 'sourcemap', code_file: url, debug_id: 'd-1' }]
  const node = frameAt('new RangeError', { abs_path: 'file:///srv/main.mjs', platform: 'node' })
  const event = eventOf(
    [frameAt('new RangeError'), node, frameAt('new TypeError', { debug_id: 'd-2' })],
    { debug_meta: { images }, dist: '7' },
  )
  await symbolicate(event, (it) => {
    wanted.push(it)
    return null
  })
  const shared = { projectId: 7, release: 'shop@1', dist: '7' }
  expect(wanted).toEqual([
    { ...shared, url, debugId: 'd-1' },
    { ...shared, url: 'file:///srv/main.mjs', debugId: null },
    { ...shared, url, debugId: 'd-2' },
  ])
  expect(event.exception![0]).not.toHaveProperty('raw_stacktrace')
  expect(event.symbolication!.scripts[0]).toEqual({
    url,
    debug_id: 'd-1',
    frames: 1,
    mapped: 0,
    problem: 'js_no_source',
  })
})

test('without the script, the name that the caller used is that of the function', async () => {
  const named = { ...(JSON.parse(built.map) as object), names: ['pay'], mappings: 'AAAAA,CAAC' }
  const [, called] = await symbolicate(
    eventOf([
      { abs_path: url, lineno: 1, colno: 1, in_app: true },
      { abs_path: url, lineno: 1, colno: 2, in_app: true, function: 'x' },
    ]),
    await uploaded({ map: JSON.stringify(named) }),
  )
  expect(called).toMatchObject({ function: 'pay', raw_function: 'x' })
})

test.each([
  ['js_missing_sourcemap', { script: built.script }],
  ['js_invalid_sourcemap', { map: '{"version":3}' }],
] as const)('%s is said of the script, and its frames stay', async (problem, files) => {
  const event = eventOf([frameAt('new RangeError')])
  const [frame] = await symbolicate(event, await uploaded(files))
  expect(frame).toEqual(frameAt('new RangeError'))
  expect(event.symbolication!.scripts).toMatchObject([{ problem, frames: 1, mapped: 0 }])
})

test('a position that the map does not have is said of its frame, others are mapped', async () => {
  const event = eventOf([
    frameAt('new RangeError', { lineno: 900 }),
    frameAt('new RangeError', { colno: 0 }),
    frameAt('new RangeError'),
  ])
  const frames = await symbolicate(event, await uploaded(built))
  const location = { data: { problem: 'js_invalid_sourcemap_location' } }
  expect(frames).toMatchObject([location, location, { function: 'payment' }])
  expect(event.symbolication!.scripts).toMatchObject([{ frames: 3, mapped: 1 }])
})

test('a source whose text is missing is named without lines', async () => {
  const { sourcesContent: _, ...bare } = JSON.parse(built.map) as Record<string, unknown>
  const event = eventOf([frameAt('new RangeError')])
  const [frame] = await symbolicate(event, await uploaded({ ...built, map: JSON.stringify(bare) }))
  expect(frame).toMatchObject({
    filename: 'src/cart.ts',
    lineno: 12,
    data: { problem: 'js_missing_sources_content' },
  })
  expect(frame).not.toHaveProperty('context_line')
})

test('a map inside of the script is read', async () => {
  const data = `data:application/json;base64,${Buffer.from(built.map).toString('base64')}`
  const found = await uploaded({ script: `${built.script}//# sourceMappingURL=${data}\n` })
  const minified = { ...found.minified!, sourceMapReference: 'data:application/json' }
  const [frame] = await symbolicate(eventOf([frameAt('new RangeError')]), { ...found, minified })
  expect(frame).toMatchObject({ filename: 'src/cart.ts', data: { sourcemap: `${url} (inline)` } })
})

test('frames of libraries, other languages and places without a script stay out', async () => {
  const library = buildScript(undefined, '../node_modules/cart/index.ts')
  const others: EventFrame[] = [
    { abs_path: '<anonymous>', lineno: 1, in_app: true },
    { abs_path: 'node:internal/timers', lineno: 1, in_app: false },
    { abs_path: '/srv/a.py', lineno: 1, in_app: true, platform: 'python' },
    { abs_path: url, in_app: true },
  ]
  const event = eventOf([...others, frameAt('new RangeError')])
  const frames = await symbolicate(event, await uploaded(library))
  expect(frames.slice(0, -1)).toEqual(others)
  expect(frames.at(-1)).toMatchObject({ filename: 'node_modules/cart/index.ts', in_app: false })
})

test('a second time nothing changes, and the first original stays', async () => {
  const event = eventOf([frameAt('new RangeError'), frameAt('new RangeError', { lineno: 900 })])
  const found = await uploaded(built)
  await symbolicate(event, found)
  const once = structuredClone(event.exception)
  await symbolicate(event, found)
  expect(event.exception).toEqual(once)
})

test('stacks of threads and of messages are mapped as well', async () => {
  const event = eventOf([], {
    stacktrace: { frames: [frameAt('new RangeError')] },
    threads: [{ id: 1, stacktrace: { frames: [frameAt('new RangeError')] } }],
  })
  await symbolicate(event, await uploaded(built))
  for (const stack of [event, event.threads![0]!]) {
    expect(stack.stacktrace!.frames[0]!.filename).toBe('src/cart.ts')
    expect(stack.raw_stacktrace!.frames[0]!.function).toBe('tU')
  }
})

test('an upload that cannot be read leaves the event as it came', async () => {
  const found = await uploaded(built)
  await blobs.delete(found.sourceMap!.blobKey)
  const event = eventOf([frameAt('new RangeError')])
  await symbolicate(event, found)
  expect(event.symbolication!.scripts).toMatchObject([{ problem: 'js_not_ready' }])
  expect(log.warn).toHaveBeenCalledOnce()
  await blobs.put(found.sourceMap!.blobKey, zstdCompressSync(built.map))
  expect(await symbolicate(event, found)).toMatchObject([{ filename: 'src/cart.ts' }])
})
