/** Names of pages for React Router 6.4 and newer, which hands its own functions over. */
export { routerTracing } from '@afterimage/browser/routed-pages'
export { traceRouter } from './data-router.ts'
export type { DataRouter } from './data-router.ts'
export { traceRoutes, traceUseRoutes } from './declarative-routes.ts'
export type { RouterFunctions } from './declarative-routes.ts'
