import { onRouterTransitionStart as measureTransition } from '@afterimage/next/client'
import { limitTransition, watchLoading } from './data/loading-limit.ts'
import { startReporting } from './data/report-console.ts'

/** Next calls this when a transition of the app mode begins. */
export function onRouterTransitionStart(url: string, type: string): void {
  measureTransition(url, type)
  limitTransition(url, type)
}

startReporting()
watchLoading()
