import { Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { QueueStats, QueueWriter } from '../storage/queue/port.ts'
import type { BodyBudget } from './body-budget.ts'

/** The counters of the front door. Labels are from closed lists, never a sender's text. */
export interface IngestMetrics {
  answered(route: string, status: number): void
  refused(reason: string): void
  published(bytes: number, seconds: number): void
  proxyFailed(): void
  /** In the text format of Prometheus. */
  render(): Promise<{ readonly contentType: string; readonly text: string }>
}

/** @param webWaiting how many requests wait for `web` now */
export function createIngestMetrics(
  queue: QueueWriter,
  budget: BodyBudget,
  webWaiting: () => number,
): IngestMetrics {
  const registry = new Registry()
  const registers = [registry]
  const answers = new Counter({
    name: 'afterimage_ingest_answers_total',
    help: 'Requests answered by the front door itself',
    labelNames: ['route', 'status'],
    registers,
  })
  const refusals = new Counter({
    name: 'afterimage_ingest_refused_total',
    help: 'Requests refused as a whole, by reason',
    labelNames: ['reason'],
    registers,
  })
  const envelopes = new Counter({
    name: 'afterimage_ingest_envelopes_total',
    help: 'Envelopes put into the queue',
    registers,
  })
  const bytesTotal = new Counter({
    name: 'afterimage_ingest_envelope_bytes_total',
    help: 'Bytes of the envelopes put into the queue, decompressed',
    registers,
  })
  const publishSeconds = new Histogram({
    name: 'afterimage_ingest_publish_seconds',
    help: 'Time until an envelope was on disk',
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5],
    registers,
  })
  const proxyFailures = new Counter({
    name: 'afterimage_ingest_web_failures_total',
    help: 'Requests that web did not answer',
    registers,
  })
  const readBytes = (): number => budget.bytes
  addGauge(registry, 'bodies_bytes', 'Bytes of the bodies that are read or published', readBytes)
  addGauge(registry, 'web_waiting', 'Requests that wait for their turn with web', webWaiting)
  const setQueueStats = createQueueGauges(registry)
  return {
    answered: (route, status) => answers.inc({ route, status }),
    refused: (reason) => refusals.inc({ reason }),
    published: (bytes, seconds) => {
      envelopes.inc()
      bytesTotal.inc(bytes)
      publishSeconds.observe(seconds)
    },
    proxyFailed: () => proxyFailures.inc(),
    render: async () => {
      setQueueStats(await queue.stats())
      return { contentType: registry.contentType, text: await registry.metrics() }
    },
  }
}

/** A figure that is looked up when it is asked for. */
function addGauge(registry: Registry, name: string, help: string, read: () => number): void {
  const gauge = new Gauge({
    name: `afterimage_ingest_${name}`,
    help,
    registers: [],
    collect() {
      this.set(read())
    },
  })
  registry.registerMetric(gauge)
}

function createQueueGauges(registry: Registry): (stats: QueueStats) => void {
  const gauge = (name: string, help: string): Gauge =>
    new Gauge({ name: `afterimage_queue_${name}`, help, registers: [registry] })
  const waiting = gauge('waiting', 'Envelopes that are not processed yet')
  const bytes = gauge('waiting_bytes', 'Their bytes')
  const age = gauge('oldest_age_seconds', 'How long the oldest of them has waited')
  const setAside = gauge('set_aside', 'Envelopes set aside after failing again and again')
  return (stats) => {
    waiting.set(stats.waiting)
    bytes.set(stats.waitingBytes)
    const oldest = stats.oldestReceivedAt
    age.set(oldest === null ? 0 : Math.max(0, (Date.now() - oldest) / 1000))
    setAside.set(stats.setAside)
  }
}
