/** Builds a query string: null and undefined values are left out, lists repeat the key. */
export function queryString(
  values: Readonly<Record<string, string | number | readonly string[] | null | undefined>>,
): string {
  const params = new URLSearchParams()
  for (const [name, value] of Object.entries(values)) {
    if (value === null || value === undefined) continue
    for (const one of typeof value === 'object' ? value : [String(value)]) params.append(name, one)
  }
  const text = params.toString()
  return text === '' ? '' : `?${text}`
}
