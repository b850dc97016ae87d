/** Times and durations as words. Pure; the console's one vocabulary for them. */

const UNITS: readonly (readonly [seconds: number, name: string])[] = [
  [31_557_600, 'y'],
  [2_629_800, 'mo'],
  [604_800, 'wk'],
  [86_400, 'd'],
  [3600, 'h'],
  [60, 'min'],
  [1, 's'],
]

/**
 * "12 s ago", "2 h old", "3 wk". A moment in the future by less than a minute is "now" (clocks differ),
 * later ones read "in 5 min". Weeks begin at two weeks, since "9 d" says more than "1 wk".
 */
export function relativeTime(
  at: number,
  now: number,
  form: 'ago' | 'age' | 'plain' = 'ago',
): string {
  const seconds = Math.floor(Math.abs(now - at) / 1000)
  if (at > now && seconds < 60) return form === 'ago' ? 'now' : '0 s'
  const [size, name] = UNITS.find(([size, name]) => seconds >= size * (name === 'wk' ? 2 : 1)) ?? [
    1,
    's',
  ]
  const words = `${Math.floor(seconds / size)} ${name}`
  if (form === 'plain') return words
  if (at > now) return `in ${words}`
  return form === 'age' ? `${words} old` : `${words} ago`
}

/** "Fri, 20 Nov 2026, 10:46:03 GMT+1": never ambiguous, for titles and copies. */
export function exactTime(at: number, timeZone: string): string {
  return new Intl.DateTimeFormat('en-GB', {
    timeZone,
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
    timeZoneName: 'short',
  }).format(at)
}

const NUMBER_WORDS = [
  'no',
  'one',
  'two',
  'three',
  'four',
  'five',
  'six',
  'seven',
  'eight',
  'nine',
  'ten',
  'eleven',
  'twelve',
]

const LONG: Readonly<Record<string, string>> = {
  y: 'year',
  mo: 'month',
  wk: 'week',
  d: 'day',
  h: 'hour',
  min: 'minute',
  s: 'second',
}

/** "two hours", "an hour", "14 minutes": for sentences. Under ten seconds: "a moment". */
export function spokenDuration(ms: number): string {
  const seconds = Math.floor(Math.max(0, ms) / 1000)
  if (seconds < 10) return 'a moment'
  const [size, name] = UNITS.find(([size, name]) => seconds >= size * (name === 'wk' ? 2 : 1)) ?? [
    1,
    's',
  ]
  const count = Math.floor(seconds / size)
  const word = LONG[name] ?? 'second'
  if (count === 1) return `${word === 'hour' ? 'an' : 'a'} ${word}`
  return `${spokenCount(count)} ${word}s`
}

/** "two", "twelve", "13", "1,904": small counts are words, as in print. */
export function spokenCount(count: number): string {
  return NUMBER_WORDS[count] ?? exactNumber(count)
}

/** "1,904" */
export function exactNumber(count: number): string {
  return new Intl.NumberFormat('en-US').format(count)
}

/** "412", "1.8k", "12k", "1.2M": at most three figures; never rounded up past a unit. */
export function compactNumber(count: number): string {
  const size = Math.abs(count)
  if (size < 1000) return String(Math.round(count * 10) / 10)
  const [divisor, unit] = size < 999_500 ? [1e3, 'k'] : size < 999_500_000 ? [1e6, 'M'] : [1e9, 'G']
  const scaled = count / divisor
  const rounded = Math.abs(scaled) < 10 ? Math.floor(scaled * 10) / 10 : Math.floor(scaled)
  return `${rounded}${unit}`
}

/** "148 ms", "4.3 s", "2 min 5 s", "1 h 12 min". */
export function durationWords(ms: number): string {
  if (!Number.isFinite(ms)) return 'unknown'
  if (ms < 1) return `${Math.round(ms * 100) / 100} ms`
  if (ms < 1000) return `${Math.round(ms)} ms`
  const seconds = ms / 1000
  if (seconds < 60) return `${(Math.floor(seconds * 10) / 10).toFixed(1)} s`
  const whole = Math.floor(seconds)
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`
  return `${Math.floor(whole / 3600)} h ${Math.floor((whole % 3600) / 60)} min`
}

/** "2.4 KB", "1.9 GB" in powers of 1024, as disks are spoken of here. */
export function byteWords(bytes: number): string {
  if (bytes < 1024) return `${Math.round(bytes)} B`
  const units = ['KB', 'MB', 'GB', 'TB']
  let value = bytes / 1024
  let unit = 0
  while (value >= 1024 && unit < units.length - 1) {
    value /= 1024
    unit++
  }
  return `${value < 10 ? value.toFixed(1) : Math.round(value)} ${units[unit]}`
}
