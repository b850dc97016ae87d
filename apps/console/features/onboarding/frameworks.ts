import { nextSteps, reactSteps, scriptTagSteps, svelteSteps, vueSteps } from './own-steps.ts'
import {
  movingSteps,
  sentryBrowserSteps,
  sentryNextSteps,
  sentryNodeSteps,
  sentryPythonSteps,
  sentryVueSteps,
} from './sentry-steps.ts'
import type { Address, SetupStep } from './setup-step.ts'

type Steps = (address: Address) => readonly SetupStep[]

/** A framework, and its set-up with either client. */
export interface Framework {
  readonly id: string
  readonly label: string
  /** With our own client; null where we have no client for the framework. */
  readonly own: Steps | null
  /** With an official Sentry SDK. */
  readonly sentry: Steps
}

/** Set-up by framework, our own client first: it is a quarter of the size. */
export const FRAMEWORKS: readonly Framework[] = [
  { id: 'nextjs', label: 'Next.js', own: nextSteps, sentry: sentryNextSteps },
  {
    id: 'react',
    label: 'React',
    own: reactSteps,
    sentry: sentryBrowserSteps('@sentry/react', 'main.tsx, before the root is rendered'),
  },
  { id: 'vue', label: 'Vue', own: vueSteps, sentry: sentryVueSteps },
  {
    id: 'svelte',
    label: 'Svelte',
    own: svelteSteps,
    sentry: sentryBrowserSteps('@sentry/svelte', 'main.ts, before the app is mounted'),
  },
  {
    id: 'browser',
    label: 'Browser',
    own: scriptTagSteps,
    sentry: sentryBrowserSteps('@sentry/browser', 'the first script of the page'),
  },
  { id: 'node', label: 'Node', own: null, sentry: sentryNodeSteps },
  { id: 'python', label: 'Python', own: null, sentry: sentryPythonSteps },
  { id: 'sentry', label: 'Already on Sentry', own: null, sentry: movingSteps },
]

/** The tab for a project's platform, `javascript-react` or `python-django`; Next.js when it says nothing. */
export function frameworkOf(platform: string | null): string {
  const words = platform?.split('-') ?? []
  return (
    FRAMEWORKS.find((one) => words.includes(one.id))?.id ??
    (words.includes('javascript') ? 'browser' : 'nextjs')
  )
}
