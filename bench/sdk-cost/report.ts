import { execFileSync } from 'node:child_process'
import { cpus } from 'node:os'
import type { Figures } from './measure.ts'
import type { Variant } from './variants.ts'

export type Runs = ReadonlyMap<Variant, readonly Figures[]>

/** Lines of the table, and what they count in when it is not main-thread milliseconds. */
const units: Readonly<Record<string, readonly [unit: string, divisor: number]>> = {
  heap: ['MB', 1024 * 1024],
  'memory after 50 × 10,000 nodes': ['MB', 1024 * 1024],
}

export function median(values: readonly number[]): number {
  const known = values.filter((value) => !Number.isNaN(value)).sort((one, other) => one - other)
  const middle = known.length / 2
  if (known.length === 0) return Number.NaN
  return ((known[Math.floor(middle)] ?? 0) + (known[Math.ceil(middle) - 1] ?? 0)) / 2
}

/** A section of `bench/results.md`: medians, and ours as a multiple of what it is held against. */
export function section(
  runs: Runs,
  about: { readonly stormSeconds: number; readonly load: number },
): string {
  const variants = [...runs.keys()]
  const lines = [...new Set([...runs.values()].flat().flatMap((figures) => [...figures.keys()]))]
  const at = (variant: Variant, line: string): number =>
    median((runs.get(variant) ?? []).map((figures) => figures.get(line) ?? Number.NaN))
  const rows = lines.map((line) => {
    const [unit, divisor] = units[line] ?? ['ms', 1]
    const cells = variants.map((variant) => number(at(variant, line) / divisor))
    const ratios = (['rrweb', 'sentry'] as const).map((other) =>
      ratio(at('afterimage', line) / at(other, line)),
    )
    return `| ${line}, ${unit} | ${[...cells, ...ratios].join(' | ')} |`
  })
  const counts = lines.map((line) =>
    Math.min(...[...runs.values()].map((all) => all.filter((it) => it.has(line)).length)),
  )
  const count = [...new Set(counts)].join(' or ')
  return `
## Cost of the client in the page, ${new Date().toISOString().slice(0, 10)}, commit ${commit()}

\`node bench/sdk-cost\`: main-thread milliseconds (Chromium's \`TaskDuration\`, "none" is the page alone,
which is kept out of layout), medians of ${count} interleaved runs, each on a fresh page; real Chromium, headless; ${cpus().length} × ${cpus()[0]?.model.trim() ?? 'unknown'}; the storm ran
${about.stormSeconds} s of its 600; load of the machine at the end ${about.load.toFixed(1)}${about.load > cpus().length / 2 + 1 ? ' (it was shared with other work: compare columns, not days)' : ''}.

| | ${variants.join(' | ')} | of rrweb | of sentry |
|---|${'---:|'.repeat(variants.length + 2)}
${rows.join('\n')}
`
}

function number(value: number): string {
  if (Number.isNaN(value)) return ''
  return value >= 100 ? value.toFixed(0) : value.toFixed(value < 10 ? 2 : 1)
}

function ratio(value: number): string {
  return Number.isFinite(value) ? value.toFixed(2) : ''
}

function commit(): string {
  const isChanged =
    git('status', '--porcelain', 'packages/browser', 'packages/replay', 'packages/sdk-core') !== ''
  return `${git('rev-parse', '--short', 'HEAD')}${isChanged ? ' and changes not committed' : ''}`
}

function git(...rest: string[]): string {
  return execFileSync('git', rest, { encoding: 'utf8' }).trim()
}
