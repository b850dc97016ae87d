/**
 * A plugin of Stryker for `mutate.ts`: takes a random sample of the breaks, and calls the others
 * errors, which no score counts.
 */
import { createHash } from 'node:crypto'
import type { Checker, CheckResult } from '@stryker-mutator/api/check'
import type { StrykerOptions } from '@stryker-mutator/api/core'

interface Sample {
  /** Number of breaks. */
  readonly size: number
  /** The same seed takes the same breaks of the same code. */
  readonly seed: string
}

export const strykerValidationSchema = { properties: { sample: { type: 'object' } } }
export const strykerPlugins = [{ kind: 'Checker', name: 'sample', factory: sampleOf }]

sampleOf.inject = ['options'] as const
function sampleOf(options: StrykerOptions): Checker {
  const { size, seed } = options['sample'] as Sample
  const rankOf = ({ id }: { readonly id: string }): string =>
    createHash('sha256').update(`${seed}:${id}`).digest('hex')
  return {
    init: () => Promise.resolve(),
    // All together, since a sample is taken of them all.
    group: (mutants) => Promise.resolve([mutants.map(({ id }) => id)]),
    check: (mutants) => {
      const sorted = mutants.toSorted((a, b) => rankOf(a).localeCompare(rankOf(b)))
      const results = sorted.map(({ id }, rank) => [id, rank < size ? taken : left] as const)
      return Promise.resolve(Object.fromEntries(results))
    },
  }
}

const taken = { status: 'passed' } as CheckResult
const left = { status: 'compileError', reason: 'not in the sample' } as CheckResult
