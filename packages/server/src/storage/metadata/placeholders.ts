/** `?, ?, ?`: one for each value of a list, for `in (…)`. An empty list matches nothing: `null`. */
export function placeholders(values: { readonly length: number }): string {
  return values.length === 0 ? 'null' : Array.from({ length: values.length }, () => '?').join(', ')
}
