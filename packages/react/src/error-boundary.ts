'use client'

import { Component, createElement } from 'react'
import type { ComponentType, ErrorInfo, FunctionComponent, ReactNode } from 'react'
import { guard } from '@afterimage/sdk-core/guard'
import { withScope } from '@afterimage/sdk-core/scope'
import type { Scope } from '@afterimage/sdk-core/scope'
import { componentName } from './component-name.ts'
import { captureReactError } from './react-errors.ts'

/** Facts about what failed, for the fallback. */
export interface FallbackProps {
  readonly error: unknown
  /** '' until React has named the components, which is before the browser paints. */
  readonly componentStack: string
  /** Id of the reported event; '' when nothing was captured. */
  readonly eventId: string
  /** Draws the children anew. */
  readonly resetError: () => void
}

/** A node, or a function that draws one and may use hooks. */
export type Fallback = ReactNode | ((failure: FallbackProps) => ReactNode)

export interface ErrorBoundaryProps {
  readonly children?: ReactNode | (() => ReactNode)
  /** Drawn in place of what failed; nothing by default. */
  readonly fallback?: Fallback
  /** By default an error counts as handled if there is a fallback. */
  readonly handled?: boolean
  /** The boundary resets itself when one of these values changes after an error. */
  readonly resetKeys?: readonly unknown[]
  /** Changes the scope of this one report. */
  readonly beforeCapture?: (scope: Scope, error: unknown, componentStack: string) => void
  readonly onError?: (error: unknown, componentStack: string, eventId: string) => void
  /** Called before the children are drawn anew. */
  readonly onReset?: (error: unknown, componentStack: string, eventId: string) => void
}

/** An error is wrapped, since anything can be thrown, also nothing. */
interface State {
  readonly failure: Omit<FallbackProps, 'resetError'> | null
}

/** Catches and reports what its children throw while they are drawn. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, State> {
  override state: State = { failure: null }

  static getDerivedStateFromError(error: unknown): State {
    return { failure: { error, componentStack: '', eventId: '' } }
  }

  override componentDidCatch(error: unknown, info: ErrorInfo): void {
    const { beforeCapture, fallback, handled = fallback !== undefined, onError } = this.props
    const componentStack = info.componentStack ?? ''
    const eventId = withScope((scope) => {
      guard(() => beforeCapture?.(scope, error, componentStack))
      return captureReactError(error, { componentStack }, { type: 'react.boundary', handled })
    })
    this.setState({ failure: { error, componentStack, eventId } })
    onError?.(error, componentStack, eventId)
  }

  override componentDidUpdate({ resetKeys: before = [] }: ErrorBoundaryProps, was: State): void {
    // The keys may have changed with the very update that failed.
    if (was.failure === null || this.state.failure === null) return
    const { resetKeys = [] } = this.props
    const isChanged =
      resetKeys.length !== before.length || resetKeys.some((key, at) => !Object.is(key, before[at]))
    if (isChanged) this.reset()
  }

  override render(): ReactNode {
    const { children, fallback } = this.props
    const { failure } = this.state
    if (failure === null) return typeof children === 'function' ? children() : children
    if (typeof fallback !== 'function') return fallback
    return createElement(Drawn, { draw: fallback, failure: { ...failure, resetError: this.reset } })
  }

  private readonly reset = (): void => {
    const { failure } = this.state
    if (failure === null) return
    this.props.onReset?.(failure.error, failure.componentStack, failure.eventId)
    this.setState({ failure: null })
  }
}

/** Keeps the state of a fallback whose function is made anew with each render. */
function Drawn(props: {
  readonly draw: (failure: FallbackProps) => ReactNode
  readonly failure: FallbackProps
}): ReactNode {
  return props.draw(props.failure)
}

/** Puts a component inside a boundary of its own. */
export function withErrorBoundary<P extends object>(
  Wrapped: ComponentType<P>,
  options: ErrorBoundaryProps,
): FunctionComponent<P> {
  function Bounded(props: P): ReactNode {
    return createElement(ErrorBoundary, options, createElement(Wrapped, props))
  }
  Bounded.displayName = `errorBoundary(${componentName(Wrapped)})`
  return Bounded
}
