import type { DatabaseSync } from 'node:sqlite'

/*
 * Histograms with logarithmic buckets: bucket i holds (growth^(i-1), growth^i]; its middle is within
 * 1 % of every value in it, so a quantile is within 1 % of a value of that rank. They merge by
 * addition and subtract again when rows go. Stored as varints: for each bucket in order, its
 * distance from the one before and its count.
 */

const relativeError = 0.01
const growth = (1 + relativeError) / (1 - relativeError)
const logGrowth = Math.log(growth)
/** Values up to this are one bucket that reads as 0: finer than any duration or vital we keep. */
const smallest = 1e-4
const zeroBucket = Math.floor(Math.log(smallest) / logGrowth)
const largestBucket = Math.ceil(Math.log(1e15) / logGrowth)

/** Counts by bucket. */
export type Histogram = Map<number, number>

export function addValue(histogram: Histogram, value: number, times = 1): void {
  const bucket =
    value <= smallest
      ? zeroBucket
      : Math.min(largestBucket, Math.ceil(Math.log(value) / logGrowth - 1e-9))
  histogram.set(bucket, (histogram.get(bucket) ?? 0) + times)
}

/** Adds the counts of an encoded histogram. */
export function addEncoded(histogram: Histogram, bytes: Uint8Array): void {
  let position = 0
  let bucket = zeroBucket
  while (position < bytes.length) {
    let delta = 0
    let shift = 1
    let byte: number
    do {
      byte = bytes[position++] ?? 0
      delta += (byte & 127) * shift
      shift *= 128
    } while (byte > 127)
    let count = 0
    shift = 1
    do {
      byte = bytes[position++] ?? 0
      count += (byte & 127) * shift
      shift *= 128
    } while (byte > 127)
    bucket += delta
    histogram.set(bucket, (histogram.get(bucket) ?? 0) + count)
  }
}

/** Encodes a histogram; buckets with a count of 0 or less are left out. */
export function encodeHistogram(histogram: Histogram): Uint8Array {
  const bytes: number[] = []
  let before = zeroBucket
  for (const bucket of [...histogram.keys()].sort((a, b) => a - b)) {
    const count = histogram.get(bucket) ?? 0
    if (count <= 0) continue
    writeVarint(bytes, bucket - before)
    writeVarint(bytes, count)
    before = bucket
  }
  return Uint8Array.from(bytes)
}

function writeVarint(bytes: number[], value: number): void {
  let rest = value
  while (rest > 127) {
    bytes.push((rest % 128) + 128)
    rest = Math.floor(rest / 128)
  }
  bytes.push(rest)
}

export function countOf(histogram: Histogram): number {
  let count = 0
  for (const times of histogram.values()) count += times
  return count
}

/** Returns the value at rank `q` (0 to 1, nearest rank); null for an empty histogram. */
export function quantileOf(histogram: Histogram, q: number): number | null {
  const count = countOf(histogram)
  if (count === 0) return null
  const rank = Math.max(1, Math.ceil(Math.min(1, Math.max(0, q)) * count))
  let seen = 0
  for (const bucket of [...histogram.keys()].sort((a, b) => a - b)) {
    seen += histogram.get(bucket) ?? 0
    if (seen >= rank) return valueOf(bucket)
  }
  return null
}

function valueOf(bucket: number): number {
  if (bucket <= zeroBucket) return 0
  return (2 * growth ** bucket) / (growth + 1)
}

/**
 * Registers two SQL aggregates that return an encoded histogram: `log_histogram(value)` of the
 * numeric values, and `merge_histograms(buckets)` of encoded ones.
 */
export function registerHistogramFunctions(database: DatabaseSync): void {
  register(database, 'log_histogram', (histogram, value) => {
    if (typeof value === 'number') addValue(histogram, value)
  })
  register(database, 'merge_histograms', (histogram, bytes) => {
    if (bytes instanceof Uint8Array) addEncoded(histogram, bytes)
  })
}

function register(
  database: DatabaseSync,
  name: string,
  add: (histogram: Histogram, value: unknown) => void,
): void {
  // The declared type requires a state that SQLite could store; any value works, since it stays in
  // JavaScript.
  const aggregate = {
    start: () => new Map<number, number>(),
    step: (histogram: Histogram, value: unknown) => {
      add(histogram, value)
      return histogram
    },
    result: encodeHistogram,
  }
  database.aggregate(name, aggregate as never)
}
