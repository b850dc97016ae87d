/**
 * `npm test`: types, lint, format, units and contracts, then the journeys in real browsers. Every
 * part runs even when one before it failed; the last line is `N passed, N failed`. With `--long` the
 * full rounds instead of the seeded samples. A file of journeys that failed beside another one has a
 * second run alone; tests that pass only there are named as unsteady.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildConsole } from './build/console.ts'
import { buildPackages } from './build/packages.ts'
import { ensureBrowsers } from './browsers.ts'

interface Result {
  passed: number
  failed: number
  notRun: string[]
  unsteady: string[]
}

/** Files of journeys that get a second run. When more fail, none of them gets one. */
const MAX_SECOND_RUNS = 5

interface FileReport {
  readonly name: string
  readonly status: string
  readonly assertionResults: readonly { readonly fullName: string; readonly status: string }[]
}

interface VitestReport {
  readonly testResults: readonly FileReport[]
}

const root = fileURLToPath(new URL('..', import.meta.url))
const environment: NodeJS.ProcessEnv = { ...process.env, NEXT_TELEMETRY_DISABLED: '1' }
if (process.argv.includes('--long')) environment.AFTERIMAGE_TEST_LONG = '1'
const reports = mkdtempSync(join(tmpdir(), 'afterimage-test-'))

const total: Result = { passed: 0, failed: 0, notRun: [], unsteady: [] }
await check('types', tool('tsc'), ['-p', '.'])
await check('types of the console', tool('tsc'), ['-p', 'apps/console'])
await check('types of the shop', tool('tsc'), ['-p', 'examples/shop'])
await check('lint', tool('oxlint'), ['--type-aware', '--deny-warnings'])
await check('format', tool('oxfmt'), ['--check', '.'])
add(await vitest('unit*'))
await prepare('browsers', async () => {
  Object.assign(environment, ensureBrowsers())
})
for (const [name, folder] of [
  ['the SDKs of the journeys', 'e2e/sdks'],
  ['the upload tools of the journeys', 'e2e/tools'],
  ['the API clients of the journeys', 'e2e/api-clients'],
] as const) {
  await check(name, 'npm', ['ci', '--prefix', folder, '--no-audit', '--no-fund'])
}
await prepare("build of the client's packages", async () => {
  await buildPackages((line) => console.log(line))
})
await prepare('build of the console', async () => {
  await buildConsole((line) => console.log(line))
})
await journeys()
rmSync(reports, { recursive: true, force: true })

for (const name of total.notRun) console.log(`not run: ${name}`)
for (const name of total.unsteady) console.log(`unsteady: ${name}`)
console.log(`\n${total.passed} passed, ${total.failed} failed`)
process.exitCode = total.failed === 0 ? 0 : 1

/** A program that `npm ci` has installed. */
function tool(name: string): string {
  return join(root, 'node_modules/.bin', name)
}

async function check(name: string, command: string, parameters: readonly string[]): Promise<void> {
  const code = await run(command, parameters)
  count(name, code === 0)
}

async function prepare(name: string, body: () => Promise<void>): Promise<void> {
  try {
    await body()
    count(name, true)
  } catch (error) {
    console.error(error)
    count(name, false)
  }
}

function count(name: string, isGood: boolean): void {
  if (isGood) total.passed += 1
  else total.failed += 1
  console.log(`${isGood ? '✓' : '✗'} ${name}`)
}

async function journeys(): Promise<void> {
  const first = await vitest('e2e')
  const failed = first.testResults.filter(({ status }) => status === 'failed')
  if (failed.length === 0 || failed.length > MAX_SECOND_RUNS) return add(first)
  const second = await vitest('e2e', [
    '--maxWorkers=1',
    ...failed.map(({ name }) => relative(root, name)),
  ])
  add({ testResults: first.testResults.filter((file) => !failed.includes(file)) })
  add(second)
  const passed = new Set(second.testResults.flatMap((file) => namesOf(file, 'passed')))
  for (const file of failed) {
    total.unsteady.push(...namesOf(file, 'failed').filter((name) => passed.has(name)))
  }
}

function namesOf(file: FileReport, status: string): readonly string[] {
  return file.assertionResults.filter((it) => it.status === status).map((it) => it.fullName)
}

async function vitest(project: string, options: readonly string[] = []): Promise<VitestReport> {
  const report = join(reports, 'vitest.json')
  rmSync(report, { force: true })
  const code = await run(tool('vitest'), [
    'run',
    '--project',
    project,
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${report}`,
    ...options,
  ])
  const { testResults } = readReport(report)
  // A failure that belongs to no single test (an unhandled rejection, a broken file) counts too.
  const isNamed = testResults.some(({ status }) => status === 'failed')
  if (code !== 0 && !isNamed) total.failed += 1
  return { testResults }
}

function readReport(path: string): VitestReport {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as VitestReport
  } catch (error) {
    console.error(`Vitest left no report at ${path}: ${(error as Error).message}`)
    return { testResults: [] }
  }
}

function add(report: VitestReport): void {
  for (const file of report.testResults) {
    const failed = namesOf(file, 'failed').length
    // A file that is broken, or whose preparation failed, has no failed test.
    total.failed += file.status === 'failed' ? Math.max(failed, 1) : failed
    total.passed += namesOf(file, 'passed').length
    for (const { status, fullName } of file.assertionResults) {
      if (status !== 'passed' && status !== 'failed') total.notRun.push(fullName)
    }
  }
}

async function run(command: string, parameters: readonly string[]): Promise<number> {
  const child = spawn(command, parameters, {
    cwd: root,
    env: environment,
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  const [code] = (await once(child, 'exit')) as [number | null]
  return code ?? 1
}
