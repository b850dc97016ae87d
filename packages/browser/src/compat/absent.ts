import { warn } from '@afterimage/sdk-core/debug'
import type { Integration } from '@afterimage/sdk-core/integration'

const warned = new Set<string>()

/** Warns, in development and once for each name, that it has no effect here. */
export function warnOnce(name: string, why = 'has no effect here'): void {
  if (warned.has(name)) return
  warned.add(name)
  warn(`${name} ${why}; docs/sdk/migrate.md says what to write instead.`)
}

/** Warns of each option that has no effect here. */
export function warnOfOthers(name: string, others: object): void {
  for (const it of Object.keys(others)) warnOnce(`the option ${it} of ${name}`)
}

/** Makes a stand-in for an integration that has no counterpart: it warns, and does nothing. */
export function absentIntegration(name: string): (options?: unknown) => Integration {
  return () => {
    warnOnce(name)
    return { name }
  }
}

/** Makes a stand-in for a function that has no counterpart and returns nothing. */
export function absentFunction(name: string): (...given: unknown[]) => undefined {
  return () => {
    warnOnce(name)
    return undefined
  }
}

/** Makes a stand-in for an integration that is always part of the client. */
export function includedIntegration(name: string): (options?: object) => Integration {
  return (options = {}) => {
    if (Object.keys(options).length > 0) warnOnce(`the options of ${name}`, 'have no effect here')
    return { name }
  }
}
