import { defineConfig } from 'vitest/config'

/**
 * Two projects: `unit` (units and contracts, beside the code) and `e2e` (journeys against the
 * started product in real browsers, two files at a time).
 */
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          include: ['packages/**/*.test.ts', 'apps/**/*.test.{ts,tsx}', 'tools/**/*.test.ts'],
          exclude: ['**/node_modules/**', '**/.next/**'],
          // Not a measure of speed: two cores may be busy with a build beside the tests.
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'e2e',
          include: ['e2e/*.spec.ts'],
          // Each file starts a product and a browser of its own, and mostly waits for them.
          maxWorkers: 2,
          // A second is short where two pages and their servers share two cores.
          expect: { poll: { timeout: 15_000 } },
          testTimeout: 120_000,
          hookTimeout: 300_000,
        },
      },
    ],
  },
})
