/** The client for Vue: all of the browser's, with tracing, and what Vue alone knows. */
export * from '@afterimage/browser'
export * from '@afterimage/browser/tracing'
export { afterimagePlugin } from './plugin.ts'
export type { PluginOptions } from './plugin.ts'
export { piniaPlugin } from './pinia.ts'
export { browserTracing } from './router.ts'
export type { VueTracingOptions } from './router.ts'
