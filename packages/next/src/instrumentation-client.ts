/**
 * The whole of `instrumentation-client.ts` in one line, with what `withAfterimage` knows:
 * `export { onRouterTransitionStart } from '@afterimage/next/instrumentation-client'`.
 */
import { init } from './client.ts'

export { onRouterTransitionStart } from './router.ts'

init()
