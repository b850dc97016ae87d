import type { Integration } from '@afterimage/sdk-core/integration'
import { textCharactersMax } from '@afterimage/sdk-core/limits'
import { cut, normalize, textOf } from '@afterimage/sdk-core/normalize'
import { batchIntegration, captureEntry } from './batch.ts'
import { logsMax } from './limits.ts'

const severities = { trace: 1, debug: 5, info: 9, warn: 13, error: 17, fatal: 21 } as const

export type LogLevel = keyof typeof severities

/** One log, as `beforeSendLog` may change it. */
export interface Log {
  level: LogLevel
  message: string
  /** Those of the call, and who sends: `user.…`, `sentry.release` and the like. */
  attributes?: Record<string, unknown>
}

/** Attributes of a log. Objects are sent as JSON, and absent values not at all. */
export type LogAttributes = Readonly<Record<string, unknown>>

/** A text made by `logger.fmt`, which keeps its template and values apart. */
export interface LogTemplate {
  readonly template: string
  readonly values: readonly unknown[]
  toString(): string
}

export interface LogsOptions {
  /** Receives every log last; null discards it. */
  readonly beforeSendLog?: (log: Log) => Log | null
}

const integrationName = 'logs'

/** Sends the logs of `logger`, in batches. */
export function logsIntegration({ beforeSendLog }: LogsOptions = {}): Integration {
  return batchIntegration<Log>({
    name: integrationName,
    itemType: 'log',
    contentType: 'application/vnd.sentry.items.log+json',
    category: 'log_item',
    entriesMax: logsMax,
    before: beforeSendLog,
    write: ({ level, message }) => ({
      level,
      severity_number: severities[level],
      body: cut(textOf(message), textCharactersMax),
    }),
  })
}

function log(level: LogLevel, message: string | LogTemplate, attributes?: LogAttributes): void {
  captureEntry<Log>(integrationName, () => {
    if (!isTemplate(message)) return { level, message, attributes: { ...normalize(attributes) } }
    const parameters = message.values.map((it, at) => [
      `sentry.message.parameter.${at}`,
      normalize(it),
    ])
    return {
      level,
      message: message.toString(),
      attributes: {
        'sentry.message.template': message.template,
        ...Object.fromEntries(parameters),
        ...normalize(attributes),
      },
    }
  })
}

function isTemplate(message: string | LogTemplate): message is LogTemplate {
  return Array.isArray((message as Partial<LogTemplate> | null)?.values)
}

/** Structured logs. They need `logsIntegration`; without it they are dropped. */
export const logger = {
  trace: log.bind(null, 'trace'),
  debug: log.bind(null, 'debug'),
  info: log.bind(null, 'info'),
  warn: log.bind(null, 'warn'),
  error: log.bind(null, 'error'),
  fatal: log.bind(null, 'fatal'),
  /** Tags a template literal, so that logs can be searched by its text and by its values. */
  fmt(strings: TemplateStringsArray, ...values: readonly unknown[]): LogTemplate {
    return {
      template: strings.map((it) => it.replaceAll('%', '%%')).join('%s'),
      values,
      toString: () => strings.reduce((text, it, at) => text + textOf(values[at - 1]) + it),
    }
  },
} as const
