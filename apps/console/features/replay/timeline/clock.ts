/** `05:31.4` from ms since the start; hours appear when there are any. */
export function clock(ms: number): string {
  return `${clockSeconds(ms)}.${Math.floor((Math.max(0, ms) % 1000) / 100)}`
}

/** `05:31`. */
export function clockSeconds(ms: number): string {
  const total = Math.floor(Math.max(0, ms) / 1000)
  const hours = Math.floor(total / 3600)
  const rest = `${pad(Math.floor((total % 3600) / 60))}:${pad(total % 60)}`
  return hours > 0 ? `${hours}:${rest}` : rest
}

/** `38 ms`, `4.3 s`, `1 min 26 s`, `1 h 2 min`: three digits carry a duration. */
export function duration(ms: number): string {
  if (ms < 0.95) return `${Number(Math.max(0, ms).toFixed(1))} ms`
  if (ms < 999.5) return `${Math.round(ms)} ms`
  if (ms < 9_995) return `${(ms / 1000).toFixed(2).replace(/\.?0+$/, '')} s`
  if (ms < 59_950) return `${(ms / 1000).toFixed(1).replace(/\.0$/, '')} s`
  const seconds = Math.round(ms / 1000)
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60)
    return seconds % 60 === 0 ? `${minutes} min` : `${minutes} min ${seconds % 60} s`
  const hours = Math.floor(minutes / 60)
  return minutes % 60 === 0 ? `${hours} h` : `${hours} h ${minutes % 60} min`
}

/** `412 kB`, `1.8 kB`, `300 B`. */
export function bytes(count: number): string {
  if (count < 1000) return `${Math.round(count)} B`
  if (count < 1_000_000) return `${scaled(count / 1000)} kB`
  if (count < 1_000_000_000) return `${scaled(count / 1_000_000)} MB`
  return `${scaled(count / 1_000_000_000)} GB`
}

/**
 * The offset that `?t=` names, in ms: seconds (`331.4`) or a clock (`05:31.4`). Null when it is neither.
 */
export function parseOffset(text: string | null | undefined): number | null {
  if (text === null || text === undefined) return null
  if (!/^(?:\d{1,2}:)?(?:\d{1,3}:)?\d{1,6}(?:\.\d{1,3})?$/.test(text)) return null
  const seconds = text.split(':').reduce((sum, part) => sum * 60 + Number(part), 0)
  return Number.isFinite(seconds) ? Math.round(seconds * 1000) : null
}

/** Writes an offset for `?t=`: seconds to a thousandth, `331.4`, so that it reads back as the same moment. */
export function formatOffset(ms: number): string {
  return String(Math.ceil(Math.max(0, ms)) / 1000)
}

function pad(value: number): string {
  return String(value).padStart(2, '0')
}

function scaled(value: number): string {
  return value < 10 ? value.toFixed(1).replace(/\.0$/, '') : String(Math.round(value))
}
