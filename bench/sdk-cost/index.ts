/**
 * Measures the cost of clients on the main thread of a page in real Chromium: ours, bare rrweb,
 * Sentry with replay, PostHog and OpenReplay, interleaved in one run. Appends a section to `bench/results.md`.
 * Run: `npm ci --prefix bench/peers && node bench/sdk-cost/index.ts [--runs 15] [--storm-seconds 5]
 * [--minutes 120] [--only afterimage,rrweb] [--pages empty,50000] [--keep runs.json] [--print]`;
 * `--storm-seconds 600` is the whole storm, 0 leaves it out; after so many minutes no further run
 * begins; `--pages` takes only the lines of these; `--keep` adds the runs to those of a file and
 * reports on all of them, so that one bench can be had in pieces; with `--print` nothing is written.
 */
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { loadavg } from 'node:os'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { launchBrowser } from '../../e2e/support/browser.ts'
import { measure, pageNames, type Figures } from './measure.ts'
import { startPageServer } from './page-server.ts'
import { section } from './report.ts'
import { bundle, variants, type Variant } from './variants.ts'

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '15' },
    'storm-seconds': { type: 'string', default: '5' },
    minutes: { type: 'string', default: '120' },
    only: { type: 'string', default: variants.join(',') },
    pages: { type: 'string', default: 'empty,5000,50000' },
    keep: { type: 'string' },
    print: { type: 'boolean', default: false },
  },
})
const endAt = Date.now() + Number(values.minutes) * 60_000
const stormSeconds = Number(values['storm-seconds'])
const chosen = variants.filter((it) => values.only.split(',').includes(it))
const scripts = new Map<string, string>()
for (const variant of chosen) scripts.set(variant, await bundle(variant))
const server = await startPageServer(scripts)
const browser = await launchBrowser()
const pages = pageNames.filter((it) => values.pages.split(',').includes(it))
const runs = new Map<Variant, Figures[]>(chosen.map((variant) => [variant, kept(variant)]))
const before = runs.values().next().value?.length ?? 0
try {
  for (let run = 0; run < Number(values.runs) && Date.now() < endAt; run += 1) {
    // Each starts in every place equally often, so that warming up and wearing out hit all alike.
    const turn = (run + before) % chosen.length
    for (const variant of [...chosen.slice(turn), ...chosen.slice(0, turn)]) {
      const startedAt = performance.now()
      runs.get(variant)?.push(await measure(browser, server.url, variant, pages, stormSeconds))
      const seconds = ((performance.now() - startedAt) / 1000).toFixed(0)
      console.error(`run ${run + 1} of ${values.runs}: ${variant}, ${seconds} s`)
    }
  }
} finally {
  await browser.close()
  await server.close()
  if (values.keep !== undefined) {
    const all = [...runs].map(([variant, figures]) => [variant, figures.map((it) => [...it])])
    writeFileSync(values.keep, JSON.stringify(Object.fromEntries(all)))
  }
}
const text = section(runs, { stormSeconds, load: loadavg()[0] ?? 0 })
console.log(text)
if (!values.print) {
  const file = fileURLToPath(new URL('../results.md', import.meta.url))
  if (!existsSync(file)) writeFileSync(file, '# Results of the benches\n')
  appendFileSync(file, text)
}

/** The runs of a variant that an earlier piece of this bench left. */
function kept(variant: Variant): Figures[] {
  if (values.keep === undefined || !existsSync(values.keep)) return []
  const text = readFileSync(values.keep, 'utf8')
  const all = JSON.parse(text) as Record<string, [string, number | null][][]>
  return (all[variant] ?? []).map(
    (figures) => new Map(figures.map(([line, value]) => [line, value ?? Number.NaN])),
  )
}
