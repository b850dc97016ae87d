/** The client for Svelte: all of the browser's, with tracing, and the handler of boundaries. */
export * from '@afterimage/browser'
export * from '@afterimage/browser/tracing'
export { captureBoundaryError } from './boundary.ts'
