/**
 * A plain server of Node with OpenTelemetry of its own: spans follow W3C's `traceparent`, and the SDK
 * only exports them. `node servers/open-telemetry.js` prints its port.
 */
import { context, propagation, SpanKind, trace } from '@opentelemetry/api'
import { W3CTraceContextPropagator } from '@opentelemetry/core'
import { BasicTracerProvider } from '@opentelemetry/sdk-trace-base'
import { SentrySpanProcessor } from '@sentry/opentelemetry'
import { createServer } from 'node:http'
import * as Sentry from 'sentry-node-9'

Sentry.init({ dsn: process.env.DSN, tracesSampleRate: 1, skipOpenTelemetrySetup: true })
const provider = new BasicTracerProvider({ spanProcessors: [new SentrySpanProcessor()] })
trace.setGlobalTracerProvider(provider)
context.setGlobalContextManager(new Sentry.SentryContextManager())
propagation.setGlobalPropagator(new W3CTraceContextPropagator())

const tracer = trace.getTracer('orders')
const server = createServer((request, response) => {
  const caller = propagation.extract(context.active(), request.headers)
  const attributes = { 'http.request.method': 'GET', 'http.route': '/api/orders' }
  const options = { kind: SpanKind.SERVER, attributes }
  tracer.startActiveSpan('GET /api/orders', options, caller, (span) => {
    tracer.startActiveSpan('read orders', (query) => query.end())
    response.end('[]')
    span.end()
  })
})
server.listen(0, '127.0.0.1', () => console.log(`port ${server.address().port}`))
process.on('SIGTERM', async () => {
  server.close()
  await Sentry.close(5000)
  process.exit(0)
})
