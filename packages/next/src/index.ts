/** What `next.config` uses; what runs in the browser and on the server are entries of their own. */
export { withAfterimage } from './with-afterimage.ts'
export type { AfterimageOptions } from './with-afterimage.ts'
export type { SourceMapOptions } from './source-maps/prepare-source-maps.ts'
