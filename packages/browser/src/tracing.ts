/** The entry for tracing: `init({ dsn, integrations: [browserTracing()] })`. */
export { browserTracing, pageTracing } from './tracing/browser-tracing.ts'
export { startNavigation, startPageLoad } from './tracing/pages.ts'
export type { PageStart } from './tracing/pages.ts'
export type { Attributes, Span, SpanOptions } from './tracing/span.ts'
export {
  continueTrace,
  getActiveSpan,
  openSpan as startInactiveSpan,
  startSpan,
} from './tracing/tracer.ts'
export type { SamplerContext } from '@afterimage/sdk-core/options'
export type { TracingOptions } from './tracing/tracing-options.ts'
