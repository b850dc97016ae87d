/**
 * What clients cost the main thread of a page in real Chromium: ours, bare rrweb, Sentry with
 * replay, PostHog and OpenReplay, interleaved in one run. Appends a section to `bench/results.md`.
 * Run: `npm ci --prefix bench/peers && node bench/sdk-cost/index.ts [--runs 15] [--storm-seconds 5]
 * [--minutes 120] [--only afterimage,rrweb] [--print]`; `--storm-seconds 600` is the whole storm, 0
 * leaves it out; after so many minutes no further run begins; with `--print` nothing is written.
 */
import { appendFileSync, existsSync, writeFileSync } from 'node:fs'
import { loadavg } from 'node:os'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { launchBrowser } from '../../e2e/support/browser.ts'
import { measure, type Figures } from './measure.ts'
import { startPageServer } from './page-server.ts'
import { section } from './report.ts'
import { bundle, variants, type Variant } from './variants.ts'

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '15' },
    'storm-seconds': { type: 'string', default: '5' },
    minutes: { type: 'string', default: '120' },
    only: { type: 'string', default: variants.join(',') },
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
const runs = new Map<Variant, Figures[]>(chosen.map((variant) => [variant, []]))
try {
  for (let run = 0; run < Number(values.runs) && Date.now() < endAt; run += 1) {
    // Each begins once as often as the others: what warms up or wears out hits all alike.
    const turn = run % chosen.length
    for (const variant of [...chosen.slice(turn), ...chosen.slice(0, turn)]) {
      const startedAt = performance.now()
      runs.get(variant)?.push(await measure(browser, server.url, variant, stormSeconds))
      const seconds = ((performance.now() - startedAt) / 1000).toFixed(0)
      console.error(`run ${run + 1} of ${values.runs}: ${variant}, ${seconds} s`)
    }
  }
} finally {
  await browser.close()
  await server.close()
}
const text = section(runs, { stormSeconds, load: loadavg()[0] ?? 0 })
console.log(text)
if (!values.print) {
  const file = fileURLToPath(new URL('../results.md', import.meta.url))
  if (!existsSync(file)) writeFileSync(file, '# Results of the benches\n')
  appendFileSync(file, text)
}
