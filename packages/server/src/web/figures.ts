import type { EventStore } from '../storage/events/port.ts'

/** Pairs of outcome and reason: both are from closed lists. */
const PAIRS_MAX = 1000

/**
 * Writes the outcomes of all items ever received, in the text format of Prometheus. The front door
 * shows them beside its own metrics.
 */
export async function renderFigures(events: EventStore): Promise<string> {
  const rows = await events.aggregate({
    table: 'outcomes',
    projectIds: [],
    where: [],
    groupBy: ['outcome', 'reason'],
    measures: [{ type: 'sum', field: 'items' }],
    limit: PAIRS_MAX,
  })
  const lines = rows.map(({ group: [outcome, reason], values: [items] }) => {
    const labels = `outcome="${word(outcome)}",reason="${word(reason)}"`
    return `afterimage_items_total{${labels}} ${items ?? 0}\n`
  })
  return (
    '# HELP afterimage_items_total Items of accepted envelopes that were processed, by what became of them\n' +
    `# TYPE afterimage_items_total counter\n${lines.sort().join('')}`
  )
}

/** Client discards have the reasons that SDKs give them: nothing but words gets into the format. */
function word(value: string | number | null | undefined): string {
  return String(value ?? '').replaceAll(/[^\w.-]/g, '_')
}
