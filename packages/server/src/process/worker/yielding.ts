/**
 * Leaves a machine to others while they are short of it. A lower priority alone does not: on two full
 * processors the front door accepted a fifth to two fifths more with processing stopped (measured), at
 * the lowest priority as well. A backlog is harmless, a slow answer is not.
 */
import { cpus } from 'node:os'

/** Milliseconds, of which only differences mean something. */
export interface ProcessorTimes {
  /** The clock. */
  readonly at: number
  /** Of all processors together. */
  readonly busy: number
  /** Of these, what this process used. */
  readonly own: number
  readonly processors: number
}

export interface YieldSettings {
  /** Others use at least so much of the machine: 0 to 1. */
  readonly yieldFrom: number
  /** Then this part of the time is worked, and the rest is waited: 0 to 1. */
  readonly yieldShare: number
  /** How long a look at the machine takes, at least: a shorter one says little. */
  readonly yieldLookMs: number
  /** A wait is never longer. */
  readonly yieldMsMax: number
  /** What has waited longer than this is worked off, whoever else needs the machine. */
  readonly yieldAgeMsMax: number
}

export class Yielding {
  readonly #settings: YieldSettings
  readonly #read: () => ProcessorTimes
  #last: ProcessorTimes
  #othersShare = 0

  constructor(settings: YieldSettings, read: () => ProcessorTimes = readProcessorTimes) {
    this.#settings = settings
    this.#read = read
    this.#last = read()
  }

  /**
   * How long to wait after so many milliseconds of work on what had waited `ageMs`; 0 where nobody
   * else needs the machine.
   */
  pauseMs(workedMs: number, ageMs: number): number {
    const { yieldFrom, yieldShare, yieldMsMax, yieldAgeMsMax } = this.#settings
    this.#look()
    if (this.#othersShare < yieldFrom || ageMs > yieldAgeMsMax) return 0
    return Math.min(yieldMsMax, workedMs * (1 / yieldShare - 1))
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

/** Of this machine, whole: in a container too, where the system tells no more. */
export function readProcessorTimes(): ProcessorTimes {
  const all = cpus()
  const busy = all.reduce(
    (sum, { times: { user, nice, sys, irq } }) => sum + user + nice + sys + irq,
    0,
  )
  const { user, system } = process.cpuUsage()
  return { at: performance.now(), busy, own: (user + system) / 1000, processors: all.length }
}
