/**
 * `npm test`: types, lint, format, units and contracts, then the journeys in real Chromium. Every
 * part runs even when one before it failed; the last line is `N passed, N failed`. With `--long` the
 * full rounds instead of the seeded samples.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildConsole } from './build/console.ts'
import { buildPackages } from './build/packages.ts'
import { ensureBrowser } from './ensure-browser.ts'

interface Result {
  passed: number
  failed: number
  notRun: string[]
}

interface VitestReport {
  readonly testResults: readonly {
    readonly name: string
    readonly status: string
    readonly message?: string
    readonly assertionResults: readonly { readonly fullName: string; readonly status: string }[]
  }[]
}

const root = fileURLToPath(new URL('..', import.meta.url))
const environment: NodeJS.ProcessEnv = { ...process.env, NEXT_TELEMETRY_DISABLED: '1' }
if (process.argv.includes('--long')) environment.AFTERIMAGE_TEST_LONG = '1'
const reports = mkdtempSync(join(tmpdir(), 'afterimage-test-'))

const total: Result = { passed: 0, failed: 0, notRun: [] }
await check('types', tool('tsc'), ['-p', '.'])
await check('types of the console', tool('tsc'), ['-p', 'apps/console'])
await check('types of the shop', tool('tsc'), ['-p', 'examples/shop'])
await check('lint', tool('oxlint'), ['--type-aware', '--deny-warnings'])
await check('format', tool('oxfmt'), ['--check', '.'])
await vitest('unit')
await prepare('browser', async () => {
  environment.AFTERIMAGE_CHROMIUM = await ensureBrowser()
})
await check('the SDKs of the journeys', 'npm', [
  'ci',
  '--prefix',
  'e2e/sdks',
  '--no-audit',
  '--no-fund',
])
await prepare("build of the client's packages", async () => {
  await buildPackages((line) => console.log(line))
})
await prepare('build of the console', async () => {
  await buildConsole((line) => console.log(line))
})
await vitest('e2e')
rmSync(reports, { recursive: true, force: true })

for (const name of total.notRun) console.log(`not run: ${name}`)
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

async function vitest(project: string): Promise<void> {
  const report = join(reports, `${project}.json`)
  const code = await run(tool('vitest'), [
    'run',
    '--project',
    project,
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${report}`,
  ])
  const before = total.failed
  try {
    add(JSON.parse(readFileSync(report, 'utf8')) as VitestReport)
  } catch (error) {
    console.error(`vitest left no report for ${project}: ${(error as Error).message}`)
  }
  // A failure that belongs to no single test (an unhandled rejection, a broken file) counts too.
  if (code !== 0 && total.failed === before) total.failed += 1
}

function add(report: VitestReport): void {
  for (const file of report.testResults) {
    if (file.assertionResults.length === 0 && file.status === 'failed') total.failed += 1
    for (const test of file.assertionResults) {
      if (test.status === 'passed') total.passed += 1
      else if (test.status === 'failed') total.failed += 1
      else total.notRun.push(test.fullName)
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
