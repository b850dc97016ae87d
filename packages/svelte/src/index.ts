/** Svelte's part of the client; `init` and all else are in `@afterimage/browser`. */
export { captureBoundaryError } from './boundary.ts'
