'use client'

import { Component, createElement, Fragment, useEffect } from 'react'
import type { ErrorInfo, ReactNode } from 'react'
import { captureThrown } from '@afterimage/sdk-core/api'

export interface BoundaryProps {
  readonly children: ReactNode
  /** Drawn in place of what failed; `reset` tries again. The client-side-exception message unless given. */
  readonly fallback?: ReactNode | ((error: unknown, reset: () => void) => ReactNode)
}

interface BoundaryState {
  /** Wrapped, since anything can be thrown, also nothing. */
  readonly failed: { readonly error: unknown } | null
}

/** Catches and reports what its children throw while they are drawn. */
export class AfterimageBoundary extends Component<BoundaryProps, BoundaryState> {
  override state: BoundaryState = { failed: null }

  static getDerivedStateFromError(error: unknown): BoundaryState {
    return { failed: { error } }
  }

  override componentDidCatch(error: Error, { componentStack }: ErrorInfo): void {
    captureThrown(error, {
      mechanism: { type: 'react.boundary', handled: this.props.fallback !== undefined },
      context: { contexts: { react: { componentStack: componentStack ?? '' } } },
    })
  }

  override render(): ReactNode {
    const { children, fallback } = this.props
    const { failed } = this.state
    if (failed === null) return children
    if (typeof fallback === 'function') {
      return fallback(failed.error, () => this.setState({ failed: null }))
    }
    return fallback ?? createElement(ClientException)
  }
}

/**
 * The words for a page that failed in the browser, at its outermost boundary.
 * @see docs/specification.md#s3
 */
export function ClientException(): ReactNode {
  useEffect(() => {
    document.title = 'Application error: a client-side exception has occurred'
  }, [])
  const place = typeof location === 'undefined' ? '' : ` while loading ${location.hostname}`
  const text = `Application error: a client-side exception has occurred${place} (see the browser console for more information).`
  return createElement(Fragment, null, createElement('h2', { style: plain }, text))
}

/* Stylesheets may be what is missing. */
const plain = {
  font: '500 18px/28px system-ui, sans-serif',
  maxWidth: '36em',
  margin: '20vh auto',
  padding: '0 24px',
}
