/**
 * `npm run mutate [part[:file,…]…]`: breaks the code in many small ways and counts how many the unit tests
 * notice. Each part is a folder with the tests that answer for it, or the path of any folder with tests beside
 * the code; `queue:block.ts,record.ts` breaks two files of one (of a part of one folder). Prints the score
 * and the survivors; `bench/results.md` keeps the scores. Without a name, all parts: some hours.
 *
 *     npm run mutate -- --sample 20 --seed 7 protocol packages/server/src/issues   # 20 breaks of each
 *     npm run mutate -- --concurrency 1 queue                                      # one at a time
 */
import { existsSync, globSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { Stryker } from '@stryker-mutator/core'

interface Part {
  /** Files to be broken. */
  readonly code: readonly string[]
  /** The tests that are run for it. */
  readonly tests: readonly string[]
}

const server = 'packages/server/src'

function room(folder: string): Part {
  return { code: [`${folder}/**/*.ts`], tests: [`${folder}/**/*.test.ts`] }
}

const parts: Readonly<Record<string, Part>> = {
  queue: room(`${server}/storage/queue`),
  worker: room(`${server}/process/worker`),
  scrub: room(`${server}/process/steps/scrub`),
  normalize: room(`${server}/process/steps/normalize`),
  auth: room(`${server}/auth`),
  retention: room(`${server}/retention`),
  state: {
    code: ['packages/replay/src/state.ts', 'packages/replay/src/session.ts'],
    tests: ['packages/replay/src/{state,session,recorder,navigation}.test.ts'],
  },
  buffer: {
    code: ['packages/replay/src/buffer.ts'],
    tests: ['packages/replay/src/{buffer,recorder,navigation,compress}.test.ts'],
  },
  privacy: room('packages/replay/src/privacy'),
  server: room(server),
  protocol: room('packages/protocol/src'),
  replay: room('packages/replay/src'),
  browser: {
    code: ['packages/browser/src/**/*.ts', 'packages/sdk-core/src/**/*.ts'],
    tests: ['packages/browser/src/**/*.test.ts', 'packages/sdk-core/src/**/*.test.ts'],
  },
}

/**
 * Tests that read the code as text, in which the breaks stand as well; that pass through everything,
 * and take a minute for each break; that measure time, and fail by chance where all cores are busy.
 */
const notTests = ['imports', 'log-queue', 'power-cut', 'slow-text'].map((it) => `**/${it}.test.ts`)

/** Files that serve tests. */
const notCode = ['*.test.ts', '*.fixture.ts', 'contract.ts', 'contract/**', 'testing/**']

const root = fileURLToPath(new URL('..', import.meta.url))
const { values: settings, positionals: asked } = parseArgs({
  allowPositionals: true,
  options: {
    concurrency: { type: 'string', default: '2' },
    /** Number of breaks of each part, at random; all when it is absent. */
    sample: { type: 'string' },
    seed: { type: 'string', default: '1' },
  },
})
const unknown = asked.filter((one) => partOf(one.split(':')[0]!) === null)
if (unknown.length > 0) {
  console.error(`${unknown.join(', ')}: not a part. There are: ${Object.keys(parts).join(', ')}`)
  process.exit(2)
}

const scores: Record<string, string> = {}
for (const one of asked.length > 0 ? asked : Object.keys(parts)) {
  const [name = '', files] = one.split(':')
  const part = partOf(name)
  if (part !== null) scores[one] = await mutate(files ? only(files.split(','), part) : part)
}
console.table(scores)

/** Returns the part of this name, or a folder as a part; null when it is neither. */
function partOf(name: string): Part | null {
  if (Object.hasOwn(parts, name)) return parts[name]!
  return existsSync(join(root, name)) ? room(name) : null
}

/** These files of a part; where each has a test of its own beside it, these tests alone answer for them. */
function only(files: readonly string[], part: Part): Part {
  const code = files.flatMap((file) => part.code.map((it) => join(dirname(it), file)))
  const tests = code.map((file) => file.replace(/\.ts$/, '.test.ts'))
  const haveTests = tests.every((test) => globSync(test, { cwd: root }).length > 0)
  return { code, tests: haveTests ? tests : part.tests }
}

/**
 * The share of breaks that were noticed, in per cent, of how many, and how often only by a test that
 * did not end in time: on a busy machine some of those are chance.
 */
async function mutate({ code, tests }: Part): Promise<string> {
  const configFile = join(root, `.mutation-${process.pid}.config.ts`)
  const test = { include: tests, exclude: notTests, testTimeout: 60_000 }
  writeFileSync(configFile, `export default ${JSON.stringify({ test })}\n`)
  try {
    const results = await new Stryker({
      testRunner: 'vitest',
      plugins: ['@stryker-mutator/vitest-runner', join(root, 'tools/mutation-sample.ts')],
      checkers: settings.sample === undefined ? [] : ['sample'],
      sample: { size: Number(settings.sample), seed: settings.seed },
      vitest: { configFile, related: false },
      mutate: [...code, ...notCode.map((it) => `!**/${it}`)],
      // The compiler has no API for it to rewrite ours with, and no need to.
      tsconfigFile: 'no-such-tsconfig.json',
      ignorePatterns: ['.mutation*', 'apps', 'e2e', 'bench', 'docs', 'examples', '.git', 'data'],
      tempDirName: '.mutation',
      concurrency: Number(settings.concurrency),
      coverageAnalysis: 'perTest',
      reporters: ['clear-text', 'progress'],
      clearTextReporter: { logTests: false, reportTests: false, allowColor: false },
      // Tests should not depend on the text of errors and logs.
      mutator: { excludedMutations: ['StringLiteral', 'ObjectLiteral'] },
    }).runMutationTest()
    const noticed = results.filter(({ status }) => status === 'Killed' || status === 'Timeout')
    const valid = results.filter(({ status }) => !/Error|Ignored/.test(status))
    const percent = (100 * noticed.length) / Math.max(1, valid.length)
    const late = results.filter(({ status }) => status === 'Timeout').length
    return `${percent.toFixed(1)} % of ${valid.length}, ${late} by time`
  } finally {
    rmSync(configFile, { force: true })
  }
}
