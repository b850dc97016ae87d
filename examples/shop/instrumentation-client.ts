export { onRouterTransitionStart } from '@afterimage/next/instrumentation-client'
