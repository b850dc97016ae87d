/** Orders of the list of pages and routes, the default first. */
export const transactionSorts: readonly { readonly id: string | null; readonly label: string }[] = [
  { id: null, label: 'Most visited' },
  { id: '-p75', label: 'Slowest, p75' },
  { id: '-p95', label: 'Slowest, p95' },
  { id: '-failure_rate', label: 'Fails most' },
]
