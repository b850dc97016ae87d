import { nameAndMajor, browserFromUserAgent } from '../../steps/normalize/user-agent.ts'
import { readEnvironment, readRelease } from '../../steps/normalize/names.ts'
import { readHexId } from '../../steps/normalize/text.ts'
import { userKey } from '../../steps/normalize/user.ts'
import { memberOf, readLabel } from '../fields.ts'
import type { ItemContext } from '../item.ts'
import { textOf, type Attributes } from './attributes.ts'
import { userOf } from './privacy.ts'
import type { SpanSender } from './row.ts'
import { platformOf, serviceOf } from './service.ts'

export interface SenderHints {
  /** True if the item itself shows that a browser sent it. */
  readonly isBrowser: boolean
  /** `ingest_settings.infer_ip` or the like. */
  readonly inferIp: unknown
  readonly inferUserAgent: unknown
}

/**
 * Returns the sender of a span: by its own attributes, then those of its segment, then the envelope's header.
 * @param layers attributes in that order, the span's own first
 */
export function spanSender(
  layers: readonly Attributes[],
  context: ItemContext,
  hints: SenderHints,
): SpanSender {
  const merged: Attributes = Object.assign({}, ...layers.toReversed())
  const { header } = context
  const sdkName =
    textOf(merged, 'sentry.sdk.name') ?? readLabel(memberOf(header, 'sdk', 'name'), 100)
  const sdkVersion =
    textOf(merged, 'sentry.sdk.version') ?? readLabel(memberOf(header, 'sdk', 'version'), 100)
  const service = serviceOf(sdkName, merged, hints.isBrowser)
  const platform = platformOf(service, sdkName)
  const user = userOf(merged, context, { platform, inferIp: hints.inferIp })
  const replay = textOf(merged, 'sentry.replay_id', 'replay_id')
  const release =
    textOf(merged, 'sentry.release', 'release') ?? memberOf(header, 'trace', 'release')
  const environment =
    textOf(merged, 'sentry.environment', 'environment') ?? memberOf(header, 'trace', 'environment')
  return {
    service,
    platform,
    release: readRelease(release, []),
    environment: readEnvironment(environment, []),
    userKey: userKey(user),
    replayId: readHexId(replay, 32) ?? readHexId(memberOf(header, 'trace', 'replay_id'), 32),
    eventId: null,
    sdk: sdkLabel(sdkName, sdkVersion),
    browser: browserOf(merged, context, hints),
  }
}

/** `name/version`, or the name alone; null without one. */
export function sdkLabel(name: string | null, version: string | null): string | null {
  if (name === null) return null
  return (version === null || version === '' ? name : `${name}/${version}`).slice(0, 200)
}

/** Name and major version; a server's spans tell of the browser that asked only where they say so. */
function browserOf(merged: Attributes, context: ItemContext, hints: SenderHints): string | null {
  const name = textOf(merged, 'browser.name')
  if (name !== null) return nameAndMajor(name, textOf(merged, 'browser.version'))
  const inferred = hints.isBrowser && hints.inferUserAgent !== 'never' ? context.userAgent : null
  const { browser } = browserFromUserAgent(textOf(merged, 'user_agent.original') ?? inferred)
  return nameAndMajor(browser?.name, browser?.version)
}
