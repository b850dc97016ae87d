import { startReporting } from './data/report-console.ts'

export { onRouterTransitionStart } from '@afterimage/next/client'

startReporting()
