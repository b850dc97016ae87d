import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildPackages } from '../tools/build/packages.ts'
import { launchBrowser } from './support/browser.ts'
import { run } from './support/fresh-application.ts'
import {
  fetchApplication,
  filesWithSentry,
  installAgain,
  migrate,
  openNeuro,
  serveBuild,
  volView,
  type Served,
} from './support/open-applications.ts'
import { startProduct, type Product, type Project } from './support/product.ts'
import { eventOf } from './support/reported.ts'

/**
 * `migrate-sdk` on open applications: they are built with Sentry's client, moved, built with ours,
 * and report. Fetching and building takes many minutes, so `npm run test:long` runs them.
 */

const isLong = process.env.AFTERIMAGE_TEST_LONG === '1'
const minutes = 60_000
let product: Product
let project: Project
let browser: Browser
let folder: string
const served: Served[] = []

beforeAll(async () => {
  if (!isLong) return
  await buildPackages(() => {})
  product = await startProduct()
  project = await product.createProject('moved')
  browser = await launchBrowser()
  folder = mkdtempSync(join(tmpdir(), 'afterimage-moved-'))
}, 5 * minutes)

afterAll(async () => {
  for (const it of served) it.close()
  await browser?.close()
  await product?.[Symbol.asyncDispose]()
  if (isLong) rmSync(folder, { recursive: true, force: true })
})

/** Serves a build and opens it; nothing but loopback is reached. */
async function open(built: string, made: Readonly<Record<string, string>> = {}) {
  const site = await serveBuild(built, product, project, made)
  served.push(site)
  const page = await browser.newPage()
  await page.route(/^https:/, (route) => route.abort())
  await page.goto(site.url)
  return page
}

test.runIf(isLong)(
  'OpenNeuro, of React, moves: 30 files, a build, and an error of its own code',
  { timeout: 40 * minutes },
  async () => {
    const application = join(folder, 'openneuro')
    await fetchApplication(application, openNeuro)
    const flags = ['--outDir', 'dist', '--config', 'with-validator.config.js']
    const build = () => run(application, 'node_modules/.bin/vite', 'build', ...flags)
    await build()

    const before = filesWithSentry(application)
    const shown = await migrate(application, product.url)
    expect(filesWithSentry(application), 'nothing is written').toEqual(before)
    const moved = await migrate(application, product.url, '--write')
    expect(moved).toEqual(shown)
    expect(moved.files).toHaveLength(30)
    expect(moved.files.toSorted()).toEqual(['package.json', ...before])
    expect(moved.added).toEqual(
      expect.arrayContaining(['Sentry.browserTracing(),', 'replayIntegration(),']),
    )
    expect(moved.code).toBe(3)
    const native = 'src/scripts/dataset/download/download-native.js'
    expect(moved.left).toEqual([
      `${native}:104  Scope`,
      `${native}:139  getCurrentScope`,
      'src/scripts/sentry.ts:6  init, option dsn',
      expect.stringMatching(/^package\.json:\d+ {2}@sentry\/react$/),
    ])
    expect(filesWithSentry(application)).toEqual([native])
    expect((await migrate(application, product.url)).files).toEqual([])

    // A person gives it the DSN, as the list says.
    const init = join(application, 'src/scripts/sentry.ts')
    writeFileSync(init, readFileSync(init, 'utf8').replace(/"https:[^"]+"/, `"${project.dsn}"`))
    await installAgain(application)
    await build()
    const page = await open(join(application, openNeuro.built), {
      '/crn/config.js': `globalThis.OpenNeuroConfig = {
        CRN_SERVER_URL: location.origin, GOOGLE_TRACKING_IDS: '', ENVIRONMENT: 'moved' }`,
    })
    // There is no back end: the front page reports that its first request failed.
    const event = await eventOf(product, 'Received status code 404')
    await page.close()
    expect(event.sdk?.name).toMatch(/^afterimage/)
    expect(event.release?.version).toBe('openneuro-app@5.1.3')
  },
)

test.runIf(isLong)(
  'VolView, of Vue, moves: four files, a build, and an error of the page',
  { timeout: 40 * minutes },
  async () => {
    const application = join(folder, 'volview')
    await fetchApplication(application, volView)
    writeFileSync(join(application, '.env'), `VITE_SENTRY_DSN=${project.dsn}`)
    const build = () => run(application, 'node_modules/.bin/vite', 'build')
    await build()

    const moved = await migrate(application, product.url, '--write')
    const reporting = 'src/utils/errorReporting.ts'
    expect(moved.files).toEqual([
      'src/composables/useGlobalErrorHook.ts',
      'src/composables/useWebGLWatchdog.ts',
      reporting,
      'package.json',
    ])
    expect(moved.code).toBe(3)
    expect(moved.left).toEqual([
      `${reporting}:17  init, option app`,
      `${reporting}:18  init, option dsn`,
      `${reporting}:29  getCurrentHub`,
      expect.stringMatching(/^package\.json:\d+ {2}@sentry\/vue$/),
    ])
    expect(filesWithSentry(application)).toEqual([reporting])

    await installAgain(application)
    await build()
    const page = await open(join(application, volView.built))
    await page.waitForSelector('.v-application')
    await page.evaluate(() => {
      setTimeout(() => {
        throw new Error('failed in VolView')
      })
    })
    const event = await eventOf(product, 'failed in VolView')
    await page.close()
    expect(event.sdk?.name).toMatch(/^afterimage/)
  },
)
