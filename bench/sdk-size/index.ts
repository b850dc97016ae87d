/**
 * Weighs our client and its peers in a page, alike in one run: bundled and minified by esbuild for
 * ES2022 without debug texts, then `gzip -9`. Writes the table into the README. Run: `npm ci
 * --prefix bench/peers && node bench/sdk-size/index.ts [--check]`; with `--check` nothing is
 * written, and the exit code is 1 when the README says something else.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { ours, peers, type Row } from './rows.ts'
import { withTable } from './table.ts'

const readme = fileURLToPath(new URL('../../README.md', import.meta.url))

const rows: Row[] = []
for (const measure of [ours, peers]) rows.push(...(await measure()))
const text = readFileSync(readme, 'utf8')
const next = withTable(text, rows)
for (const { name, minified, gzipped, budget } of rows) {
  const limit = budget === null ? '' : ` of ${budget}`
  console.log(`${name}: ${gzipped}${limit} bytes gzipped, ${minified} minified`)
}
if (!process.argv.includes('--check')) writeFileSync(readme, next)
else if (next !== text) {
  console.error('The table in README.md is not what was measured.')
  process.exitCode = 1
}
const heavy = rows.filter(({ gzipped, budget }) => budget !== null && gzipped > budget)
if (heavy.length > 0) {
  console.error(`Too heavy: ${heavy.map(({ name }) => name).join(', ')}`)
  process.exitCode = 1
}
