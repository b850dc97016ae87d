/**
 * Leaves a machine to others while they are short of it. A lower priority alone does not: on two full
 * processors the front door accepted a fifth to two fifths more with processing stopped (measured), at
 * the lowest priority as well. A backlog is harmless, a slow answer is not.
 */
import { cpus } from 'node:os'
import { pause, stopped } from './retry.ts'

/** Milliseconds, of which only differences mean something. */
export interface ProcessorTimes {
  /** The clock. */
  readonly at: number
  /** Busy time of all processors together. */
  readonly busy: number
  /** The part of it that this process used. */
  readonly own: number
  readonly processors: number
}

export interface YieldSettings {
  /** Others use at least so much of the machine: 0 to 1. */
  readonly yieldFrom: number
  /** Then this part of the time is worked, and the rest is waited: 0 to 1. */
  readonly yieldShare: number
  /** Interval between samples of the machine, while waiting too: a shorter one says little. */
  readonly yieldLookMs: number
  /** A wait is never longer. */
  readonly yieldMsMax: number
  /** Deliveries that waited less do not count as a backlog, and are processed at once. */
  readonly yieldAgeMsMin: number
  /** Deliveries that waited longer are processed, even when other programs need the machine. */
  readonly yieldAgeMsMax: number
}

export class Yielding {
  readonly #settings: YieldSettings
  readonly #read: () => ProcessorTimes
  readonly #wait: typeof pause
  #last: ProcessorTimes
  #othersShare = 0

  constructor(settings: YieldSettings, read = readProcessorTimes, wait = pause) {
    this.#settings = settings
    this.#read = read
    this.#wait = wait
    this.#last = read()
  }

  /**
   * Waits after so many milliseconds of work on what had waited `ageMs`, for as long as others need
   * the machine and their share of the time is not over; not at all where nobody needs it.
   */
  async yield(
    workedMs: number,
    ageMs: number,
    signal: AbortSignal,
  ): Promise<undefined | typeof stopped> {
    const { yieldAgeMsMin, yieldAgeMsMax, yieldLookMs, yieldMsMax, yieldShare } = this.#settings
    let leftMs = Math.min(yieldMsMax, workedMs * (1 / yieldShare - 1))
    this.#look()
    if (ageMs < yieldAgeMsMin || ageMs > yieldAgeMsMax) return undefined
    while (leftMs > 0 && this.#othersShare >= this.#settings.yieldFrom) {
      const partMs = Math.min(leftMs, yieldLookMs)
      if ((await this.#wait(partMs, signal)) === stopped) return stopped
      leftMs -= partMs
      this.#look()
    }
    return undefined
  }

  #look(): void {
    const now = this.#read()
    const ms = now.at - this.#last.at
    if (ms < this.#settings.yieldLookMs) return
    const others = now.busy - this.#last.busy - (now.own - this.#last.own)
    this.#othersShare = others / (ms * now.processors)
    this.#last = now
  }
}

/** Reads the times of the whole machine: in a container too, where the system reports only those. */
export function readProcessorTimes(): ProcessorTimes {
  const all = cpus()
  const busy = all.reduce(
    (sum, { times: { user, nice, sys, irq } }) => sum + user + nice + sys + irq,
    0,
  )
  const { user, system } = process.cpuUsage()
  return { at: performance.now(), busy, own: (user + system) / 1000, processors: all.length }
}
