import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

const root = fileURLToPath(new URL('.', import.meta.url))
const units = ['packages/**/*.test.ts', 'apps/**/*.test.{ts,tsx}', 'tools/**/*.test.ts']
const notTests = ['**/node_modules/**', '**/.next/**']

/** Files that need modules of their own: those of the client, whose modules keep the state of a page. */
const alone = [
  'packages/{browser,next,react,replay,script-tag,sdk-core,svelte,vue}/**/*.test.ts',
  ...globSync(units, { cwd: root, exclude: notTests }).filter(replacesModules),
]

function replacesModules(path: string): boolean {
  return /\bvi\.(mock|doMock)\(/.test(readFileSync(root + path, 'utf8'))
}

const unit = {
  exclude: notTests,
  maxWorkers: '100%',
  // Not a measure of speed: two cores may be busy with a build beside the tests.
  testTimeout: 60_000,
  hookTimeout: 60_000,
}

/**
 * Three projects: `unit` (units and contracts, beside the code, which share the modules of their
 * worker), `unit-alone` (those that cannot) and `e2e` (journeys against the started product in real
 * browsers, two files at a time).
 */
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          ...unit,
          name: 'unit',
          include: units,
          exclude: [...notTests, ...alone],
          isolate: false,
        },
      },
      { test: { ...unit, name: 'unit-alone', include: alone } },
      {
        test: {
          name: 'e2e',
          include: ['e2e/*.spec.ts'],
          // Each file starts a product and a browser of its own, and mostly waits for them.
          maxWorkers: 2,
          sequence: { groupOrder: 1 },
          // A second is short where two pages and their servers share two cores.
          expect: { poll: { timeout: 15_000 } },
          testTimeout: 120_000,
          hookTimeout: 300_000,
        },
      },
    ],
  },
})
