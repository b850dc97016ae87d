import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, expect, test, vi } from 'vitest'
import { supervise, type SupervisedProgram, type Supervisor } from './supervisor.ts'

const folder = mkdtempSync(join(tmpdir(), 'afterimage-supervisor-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** A program as the supervisor expects one: says that it is ready, and what it was told. */
const modulePath = join(folder, 'program.mjs')
writeFileSync(
  modulePath,
  `process.send({ type: 'ready', announcement: { address: process.env.GIVEN } })
process.on('disconnect', () => process.exit(0))
`,
)
const STOP_MS = 1_000
const running: Supervisor[] = []
afterEach(async () => {
  for (const supervisor of running.splice(0)) await supervisor.stop()
})

function program(name: string, more: Partial<SupervisedProgram> = {}): SupervisedProgram {
  return { name, modulePath, arguments: [], ...more }
}

/** Supervises, and tells each readiness in its order. */
function start(...programs: SupervisedProgram[]): {
  supervisor: Supervisor
  readied: (name: string) => Promise<void>
  exits: string[]
  reasons: string[]
} {
  const ready = new Map<string, PromiseWithResolvers<void>>()
  const one = (name: string): PromiseWithResolvers<void> => {
    const known = ready.get(name) ?? Promise.withResolvers<void>()
    ready.set(name, known)
    return known
  }
  const exits: string[] = []
  const reasons: string[] = []
  const events = {
    onReady: (name: string) => one(name).resolve(),
    onExit: (name: string, how: string) => {
      exits.push(name)
      reasons.push(how)
    },
  }
  const given = { ...process.env, GIVEN: 'to all' }
  const supervisor = supervise(programs, given, events, { stopMs: STOP_MS })
  running.push(supervisor)
  return { supervisor, readied: (name) => one(name).promise, exits, reasons }
}

test('starts the others at once, and one that needs something more when that is there', async () => {
  const later = Promise.withResolvers<Record<string, string>>()
  const { supervisor, readied } = start(
    program('ingest'),
    program('web', { environment: later.promise }),
  )
  await readied('ingest')
  expect([...supervisor.pids().keys()]).toEqual(['ingest'])
  later.resolve({ GIVEN: 'to web' })
  expect(await supervisor.ready).toEqual(
    new Map([
      ['ingest', { address: 'to all' }],
      ['web', { address: 'to web' }],
    ]),
  )
})

test('says when what one program needs cannot be had', async () => {
  const failure = Promise.reject(new Error('no build'))
  const { supervisor } = start(program('ingest'), program('web', { environment: failure }))
  await expect(supervisor.ready).rejects.toThrow('no build')
})

/** A program that says why it does not start, and ends. */
const refusing = join(folder, 'refusing.mjs')
writeFileSync(
  refusing,
  `process.send(
  { type: 'refused', code: 'ADDRESS_IN_USE', message: 'Another program listens there.' },
  () => process.exit(78),
)
`,
)

test('gives up with the reason of a program that refuses to start, at once', async () => {
  const { supervisor, exits } = start(program('ingest', { modulePath: refusing }))
  await expect(supervisor.ready).rejects.toMatchObject({
    code: 'ADDRESS_IN_USE',
    message: 'Another program listens there.',
  })
  expect(exits).toEqual([])
})

test('tries again a program that was ready once, whatever it says then', async () => {
  const once = join(folder, 'once.mjs')
  const mark = join(folder, 'started-once')
  writeFileSync(
    once,
    `import { existsSync, writeFileSync } from 'node:fs'
if (existsSync(${JSON.stringify(mark)})) await import(${JSON.stringify(refusing)})
else {
  writeFileSync(${JSON.stringify(mark)}, '')
  process.send({ type: 'ready', announcement: {} }, () => process.exit(1))
}
`,
  )
  const { supervisor, exits, reasons } = start(program('ingest', { modulePath: once }))
  await supervisor.ready
  await expect.poll(() => exits.length).toBeGreaterThan(2)
  expect(reasons.slice(0, 3)).toEqual([
    'exit code 1',
    'Another program listens there.',
    'Another program listens there.',
  ])
})

test('starts nothing more once it stops', async () => {
  const later = Promise.withResolvers<Record<string, string>>()
  const { supervisor, readied } = start(
    program('ingest'),
    program('web', { environment: later.promise }),
  )
  await readied('ingest')
  await supervisor.stop()
  later.resolve({})
  await later.promise
  expect(supervisor.pids().size).toBe(0)
})

test('a build interrupted by a stop does not count as a failure', async () => {
  const later = Promise.withResolvers<Record<string, string>>()
  const { supervisor, readied } = start(
    program('ingest'),
    program('web', { environment: later.promise }),
  )
  await readied('ingest')
  const failed = vi.fn()
  supervisor.ready.catch(failed)
  const stopped = supervisor.stop()
  later.reject(new Error('interrupted'))
  await stopped
  expect(failed).not.toHaveBeenCalled()
})

test('starts a program again that dies, with what it was given', async () => {
  const environment = Promise.resolve({ GIVEN: 'again' })
  const { supervisor, exits } = start(program('web', { environment }))
  await supervisor.ready
  const first = supervisor.pids().get('web') ?? 0
  process.kill(first, 'SIGKILL')
  await expect.poll(() => supervisor.pids().get('web') ?? first).not.toBe(first)
  expect(exits).toEqual(['web'])
})

test('a program that hangs keeps no other from ending well, and is killed', async () => {
  const hanging = join(folder, 'hanging.mjs')
  writeFileSync(hanging, `process.send({ type: 'ready', announcement: {} }, () => { for (;;); })`)
  const ending = join(folder, 'ending.mjs')
  writeFileSync(
    ending,
    `import { writeFileSync } from 'node:fs'
process.on('SIGTERM', () => {
  writeFileSync(process.argv[2], 'ended well')
  process.exit(0)
})
process.on('disconnect', () => process.exit(0))
process.send({ type: 'ready', announcement: {} })`,
  )
  const notes = ['first', 'second'].map((name) => join(folder, name))
  const { supervisor } = start(
    program('ingest', { modulePath: ending, arguments: notes.slice(0, 1) }),
    program('web', { modulePath: hanging }),
    program('process', { modulePath: ending, arguments: notes.slice(1) }),
  )
  await supervisor.ready
  const startedAt = performance.now()
  await supervisor.stop()
  expect(performance.now() - startedAt).toBeLessThan(10 * STOP_MS)
  expect(notes.map((note) => readFileSync(note, 'utf8'))).toEqual(['ended well', 'ended well'])
  expect(supervisor.pids().size).toBe(0)
})
