'use client'

import { createElement, Fragment, useEffect } from 'react'
import type { ReactNode } from 'react'
import { ErrorBoundary } from '@afterimage/react/error-boundary'
import type { ErrorBoundaryProps } from '@afterimage/react/error-boundary'

/**
 * Catches and reports what its children throw while they are drawn. Without a fallback it shows the
 * client-side-exception message, and the error counts as unhandled.
 */
export function AfterimageBoundary(props: ErrorBoundaryProps): ReactNode {
  const { fallback = createElement(ClientException), handled = props.fallback !== undefined } =
    props
  return createElement(ErrorBoundary, { ...props, fallback, handled })
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
