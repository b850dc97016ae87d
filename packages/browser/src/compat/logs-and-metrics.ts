import { getClient } from '@afterimage/sdk-core/api'
import { logger as ownLogger, logsIntegration } from '../integrations/logger.ts'
import type { LogsOptions } from '../integrations/logger.ts'
import { metrics as ownMetrics, metricsIntegration } from '../integrations/metrics.ts'
import type { MetricsOptions } from '../integrations/metrics.ts'
import { warnOnce } from './absent.ts'
import { addIntegration } from './capture.ts'

/** Structured logs. As in the other client they need the option `enableLogs`. */
export const logger: typeof ownLogger = /* @__PURE__ */ beforeEach(ownLogger, () => {
  const { enableLogs, beforeSendLog } = givenOptions<LogsOptions & { enableLogs?: boolean }>()
  if (enableLogs) addIntegration(logsIntegration(beforeSendLog && { beforeSendLog }))
  else warnOnce('logger', 'needs the option `enableLogs`')
})

/** Counters, gauges and distributions. */
export const metrics: typeof ownMetrics = /* @__PURE__ */ beforeEach(ownMetrics, () => {
  const { beforeSendMetric } = givenOptions<MetricsOptions>()
  addIntegration(metricsIntegration(beforeSendMetric && { beforeSendMetric }))
})

function givenOptions<T>(): Partial<T> {
  return (getClient()?.options ?? {}) as Partial<T>
}

/** Returns the same functions, each of which runs `prepare` first. */
function beforeEach<T extends object>(functions: T, prepare: () => void): T {
  return Object.fromEntries(
    Object.entries(functions as Record<string, (...given: unknown[]) => unknown>).map(
      ([name, run]) => [
        name,
        (...given: unknown[]) => {
          prepare()
          return run(...given)
        },
      ],
    ),
  ) as T
}
