/** Vue's part of the client; `init` and all else are in `@afterimage/browser`. */
export { afterimagePlugin } from './plugin.ts'
export type { PluginOptions } from './plugin.ts'
export { piniaPlugin } from './pinia.ts'
export { browserTracing } from './router.ts'
export type { VueTracingOptions } from './router.ts'
