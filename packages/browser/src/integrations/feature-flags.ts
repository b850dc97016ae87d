import type { Integration } from '@afterimage/sdk-core/integration'
import { cut, textOf } from '@afterimage/sdk-core/normalize'
import { flagsMax, nameCharactersMax } from './limits.ts'

export interface FeatureFlags extends Integration {
  /** Notes the result of an evaluation. Values that are not true or false are left out. */
  addFeatureFlag(name: string, value: unknown): void
}

/** Sends the feature flags that the page evaluated with every error, the newest last. */
export function featureFlags(): FeatureFlags {
  /** In the order of their last evaluation. */
  const flags = new Map<string, boolean>()
  return {
    name: 'featureFlags',
    processEvent(event) {
      if (event.type || !flags.size) return event
      const values = [...flags].map(([flag, result]) => ({ flag, result }))
      return { ...event, contexts: { ...event.contexts, flags: { values } } }
    },
    addFeatureFlag(name, value) {
      if (typeof value !== 'boolean') return
      const flag = cut(textOf(name), nameCharactersMax)
      flags.delete(flag)
      flags.set(flag, value)
      if (flags.size > flagsMax) flags.delete(flags.keys().next().value!)
    },
  }
}

/** The hook of an OpenFeature client, as far as it is used here. */
export interface OpenFeatureHook {
  after(context: unknown, details: { readonly flagKey: string; readonly value: unknown }): void
  error(context: { readonly flagKey: string; readonly defaultValue: unknown }): void
}

/** Returns a hook for `OpenFeature.addHooks`; a failed evaluation counts with its default value. */
export function openFeatureHook({ addFeatureFlag }: FeatureFlags): OpenFeatureHook {
  return {
    after: (_context, { flagKey, value }) => addFeatureFlag(flagKey, value),
    error: ({ flagKey, defaultValue }) => addFeatureFlag(flagKey, defaultValue),
  }
}
