import { Component, type ErrorInfo, type ReactNode } from 'react'
import { clientExceptionMessage, GenericError } from '../../ui/generic-error.tsx'

interface Props {
  readonly children: ReactNode
  /** Told before the browser's console is; `componentStack` is React's, and may be empty. */
  readonly onError: (error: unknown, componentStack: string) => void
}

interface State {
  readonly hasFailed: boolean
}

/** Catches what no other boundary caught, and says so in the words of the generic error page. */
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
    document.title = 'Application error: a client-side exception has occurred'
  }

  override render(): ReactNode {
    if (!this.state.hasFailed) return this.props.children
    return <GenericError status={500} message={clientExceptionMessage(location.hostname)} />
  }
}
