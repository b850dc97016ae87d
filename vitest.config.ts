import { defineConfig } from 'vitest/config'

/**
 * Two projects: `unit` (units and contracts, beside the code) and `e2e` (journeys against the
 * started product in real Chromium, one file at a time).
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
          fileParallelism: false,
          testTimeout: 120_000,
          hookTimeout: 300_000,
        },
      },
    ],
  },
})
