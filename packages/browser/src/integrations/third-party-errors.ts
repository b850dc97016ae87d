import type { DebugIdGlobals } from '@afterimage/sdk-core/debug-ids'
import type { SdkEvent } from '@afterimage/sdk-core/event'
import type { Integration } from '@afterimage/sdk-core/integration'
import { matches } from '@afterimage/sdk-core/matches'
import type { Pattern } from '@afterimage/sdk-core/options'

export interface ThirdPartyErrorFilterOptions {
  /** Discards the error, or gives it the tag `third_party_code`. */
  readonly behaviour:
    | 'drop-error-if-contains-third-party-frames'
    | 'drop-error-if-exclusively-contains-third-party-frames'
    | 'apply-tag-if-contains-third-party-frames'
    | 'apply-tag-if-exclusively-contains-third-party-frames'
  /** Addresses of the application's own files; by default those whose build gave them a debug id. */
  readonly ownUrls?: readonly Pattern[]
}

/**
 * Discards or marks errors of code that is not the application's. Without `ownUrls`, and on a page
 * whose files have no debug ids, it does nothing.
 */
export function thirdPartyErrorFilter(options: ThirdPartyErrorFilterOptions): Integration {
  const { behaviour, ownUrls } = options
  return {
    name: 'thirdPartyErrorFilter',
    processEvent(event) {
      const files = filesOf(event)
      if (event.type || !files[0] || !(ownUrls || hasDebugIds())) return event
      const built = event.debug_meta?.images.map((it) => it.code_file)
      const isForeign = (file: string): boolean =>
        !(ownUrls ? matches(file, ownUrls) : built?.includes(file))
      const applies = behaviour.includes('exclusively')
        ? files.every(isForeign)
        : files.some(isForeign)
      if (!applies) return event
      return behaviour.startsWith('drop')
        ? null
        : { ...event, tags: { ...event.tags, third_party_code: true } }
    },
  }
}

/** Returns the files of the frames that have a place; those of the engine itself have none. */
function filesOf({ exception }: SdkEvent): string[] {
  const frames = exception?.values.flatMap((it) => it.stacktrace?.frames ?? []) ?? []
  return frames.flatMap(({ filename, lineno }) => (filename && lineno ? [filename] : []))
}

function hasDebugIds(): boolean {
  const { _sentryDebugIds, _afterimageDebugIds } = globalThis as DebugIdGlobals
  return !!Object.keys({ ..._sentryDebugIds, ..._afterimageDebugIds })[0]
}
