/** A random id of that many bytes, as hex: 16 for events and traces, 8 for spans. */
export function createId(bytes = 16): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(bytes)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('')
}
