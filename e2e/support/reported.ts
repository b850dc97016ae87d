import type { ApiEvent } from '@afterimage/protocol/api/event'
import type { ApiIssue } from '@afterimage/protocol/api/issue'
import type { ApiTransactionSummary } from '@afterimage/protocol/api/trace'
import type { Product } from './product.ts'
import { until } from './until.ts'

/** Waits for an issue, in one project or in any, and returns its latest event. */
export async function eventOf(product: Product, title: string, slug?: string): Promise<ApiEvent> {
  const query = encodeURIComponent(`"${title}"`)
  const issue = await until(`an issue: ${title}`, async () => {
    const found = await product.api<ApiIssue[]>(`organizations/main/issues/?query=${query}`)
    return found.find((it) => slug === undefined || it.project.slug === slug)
  })
  return product.api<ApiEvent>(`issues/${issue.id}/events/latest/`)
}

/** Returns the page or route that an event happened on. */
export function transactionOf({ tags }: ApiEvent): string | undefined {
  return tags.find(({ key }) => key === 'transaction')?.value
}

/** Waits for the transactions of these operations and names, in one project or in any. */
export async function untilMeasured(
  product: Product,
  expected: readonly string[],
  slug?: string,
): Promise<void> {
  await until(`the transactions ${expected.join()}`, async () => {
    const { data } = await product.api<{ data: ApiTransactionSummary[] }>(
      'organizations/main/transactions/?all=1',
    )
    const rows = data.filter((it) => slug === undefined || it.project_slug === slug)
    const names = rows.map(({ op, transaction }) => `${op} ${transaction}`)
    if (expected.every((it) => names.includes(it))) return true
    throw new Error(names.join())
  })
}
