import { clientExceptionMessage, errorPageTitle } from '@afterimage/protocol/error-page'
import Head from 'next/head'
import { Component, type ErrorInfo, type ReactNode } from 'react'
import { GenericError } from '../generic-error/generic-error.tsx'

interface Props {
  readonly children: ReactNode
  /** Told before the browser's console is; `componentStack` is React's, and may be empty. */
  readonly onError: (error: unknown, componentStack: string) => void
}

interface State {
  readonly hasFailed: boolean
}

/** Catches errors that no other boundary caught, and draws the generic error page. */
export class OutermostBoundary extends Component<Props, State> {
  override state: State = { hasFailed: false }

  static getDerivedStateFromError(): State {
    return { hasFailed: true }
  }

  override componentDidCatch(error: Error, info: ErrorInfo): void {
    this.props.onError(error, info.componentStack ?? '')
    // Reported as an uncaught error would be: the browser's console, and whoever listens for errors.
    if (typeof reportError === 'function') reportError(error)
    else console.error(error, info.componentStack)
  }

  override render(): ReactNode {
    if (!this.state.hasFailed) return this.props.children
    const page = { status: 500, message: clientExceptionMessage(location.hostname) }
    return (
      <>
        {/* A title set by hand would go with the page that failed, whose own it was. */}
        <Head>
          <title>{errorPageTitle(page)}</title>
        </Head>
        <GenericError {...page} />
      </>
    )
  }
}
