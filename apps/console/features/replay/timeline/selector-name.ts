const NAME_LENGTH_MAX = 60

/** The attributes that name an element to its reader, the best first. */
const naming = ['aria-label', 'title', 'alt', 'name', 'placeholder']

/** `button#add` of `body > form > button#add[type="submit"]`. */
export function selectorOf(path: string): string {
  const last = path.split(' > ').at(-1) ?? path
  return last.replaceAll(/\[[^\]]*\]/g, '').slice(0, 80)
}

/**
 * Returns `“Apply”` for `form > button.apply[aria-label="Apply"]`: the element's own name, in
 * quotation marks; null when the selector has none.
 */
export function nameInSelector(path: string): string | null {
  const last = path.split(' > ').at(-1) ?? path
  for (const attribute of naming) {
    const value = new RegExp(`\\[${attribute}=["“]([^"”]+)["”]\\]`).exec(last)?.[1]?.trim()
    // Masked text is stars: it names nothing.
    if (value !== undefined && /[^*\s]/.test(value)) return `“${cut(value)}”`
  }
  return null
}

function cut(words: string): string {
  return words.length > NAME_LENGTH_MAX ? `${words.slice(0, NAME_LENGTH_MAX - 1)}…` : words
}
