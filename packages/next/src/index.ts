/** The entry for `next.config`; code for the browser and for the server has entries of its own. */
export { withAfterimage } from './with-afterimage.ts'
export type { AfterimageOptions } from './with-afterimage.ts'
export type { SourceMapOptions } from './source-maps/prepare-source-maps.ts'
