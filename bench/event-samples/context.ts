import type { ProcessedEnvelope, ProcessedItem } from '@afterimage/server/storage/events/port'
import {
  tables,
  type Columns,
  type Row,
  type TableName,
} from '@afterimage/server/storage/events/tables'

export interface Context {
  readonly random: () => number
  deliveries: number
  /** Replays and traces seen lately, for events to name. */
  readonly replayIds: string[]
  readonly traceIds: string[]
}

export function hex({ random }: Context, digits: number): string {
  let text = ''
  while (text.length < digits) {
    text += Math.floor(random() * 2 ** 32)
      .toString(16)
      .padStart(8, '0')
  }
  return text.slice(0, digits)
}

export function below({ random }: Context, count: number): number {
  return Math.floor(random() * count)
}

/** A number below `count`; small ones are far likelier. */
export function zipf({ random }: Context, count: number): number {
  return Math.min(count - 1, Math.floor(count ** random()) - 1)
}

export const projectIds = [1, 1, 1, 1, 1, 2, 2, 3, 4, 5]
export const browsers = ['Chrome 140', 'Safari 19', 'Firefox 143', 'Edge 140', 'Mobile Safari 19']
export const systems = ['Windows 11', 'macOS 16', 'iOS 19', 'Android 16', 'Linux']
export const countries = ['DE', 'US', 'FR', 'BR', 'IN', 'JP', 'GB', 'PL']
export const words =
  'cart checkout product search account order price image review filter list detail'.split(' ')

export function row<N extends TableName>(
  table: N,
  timestamp: number,
  columns: Partial<Columns<N>>,
  more: { readonly tags?: Record<string, string>; readonly payload?: string } = {},
): Row {
  const all: Record<string, unknown> = {}
  for (const name in tables[table].columns) all[name] = null
  return { table, timestamp, columns: Object.assign(all, columns), ...more } as unknown as Row
}

export function envelope(
  context: Context,
  projectId: number,
  receivedAt: number,
  item: Partial<ProcessedItem> & Pick<ProcessedItem, 'type' | 'rows'>,
): ProcessedEnvelope {
  return {
    deliveryId: `bench:${context.deliveries++}`,
    projectId,
    receivedAt,
    items: [{ quantity: 1, blobs: [], effects: [], refusal: null, ...item }],
  }
}

export function person(context: Context): { userKey: string; userLabel: string } {
  const number = zipf(context, 20_000)
  return { userKey: `id:${number}`, userLabel: `person${number}@example.com` }
}

export function device(context: Context): {
  release: string
  environment: string
  browser: string
  os: string
} {
  return {
    release: `shop@2.${below(context, 8)}.0`,
    environment: below(context, 10) === 0 ? 'staging' : 'production',
    browser: browsers[zipf(context, browsers.length)] ?? '',
    os: systems[zipf(context, systems.length)] ?? '',
  }
}

export function pageName(context: Context): string {
  const number = zipf(context, 60)
  return `/${words[number % words.length]}/${words[(number * 7) % words.length]}/[id${number}]`
}
