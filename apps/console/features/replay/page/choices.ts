/** Chooses the options with these values, and no other; a list that takes one choice takes the first. */
export function choose(select: HTMLSelectElement, values: readonly string[]): void {
  const chosen = new Set(values)
  if (!select.multiple) select.value = values[0] ?? ''
  else for (const option of select.options) option.selected = chosen.has(option.value)
}

/**
 * Chooses what a snapshot recorded as the list's value, where several are divided by NUL. What recorders said of each
 * option stays; a masked value is that of no option.
 */
export function settleChoices(select: HTMLSelectElement): void {
  const values = new Set(select.getAttribute('value')?.split('\0'))
  if (!select.multiple && values.has(select.value)) return
  for (const option of select.options) if (values.has(option.value)) option.selected = true
}
