'use client'

import { Component, createElement, useEffect, useState } from 'react'
import type { ComponentType, FunctionComponent, ReactNode } from 'react'
import { now } from '@afterimage/browser/clock'
import { getActiveSpan, startInactiveSpan } from '@afterimage/browser/tracing'
import type { Attributes } from '@afterimage/browser/tracing'
import { componentName } from './component-name.ts'

export interface ProfilerProps {
  /** Names the spans: `<Cart>` for `Cart`. */
  readonly name: string
  readonly children?: ReactNode
  /** Properties whose changes are measured as updates; only their names are sent. */
  readonly updateProps?: Readonly<Record<string, unknown>>
  /** True by default. */
  readonly includeUpdates?: boolean
}

/**
 * Measures how long its children take from their first rendering until they are in the document,
 * and from each change of `updateProps` on. The spans belong to the open page load or navigation;
 * without one nothing is measured.
 */
export class Profiler extends Component<ProfilerProps> {
  private startedAt = now()

  override componentDidMount(): void {
    measure('mount', this.props.name, this.startedAt)
  }

  override shouldComponentUpdate(): boolean {
    this.startedAt = now()
    return true
  }

  override componentDidUpdate({ updateProps: before = {} }: ProfilerProps): void {
    const { name, updateProps = {}, includeUpdates = true } = this.props
    const changedProps = Object.keys(updateProps).filter((it) => updateProps[it] !== before[it])
    if (includeUpdates && changedProps.length > 0) {
      measure('update', name, this.startedAt, { 'ui.react.changed_props': changedProps })
    }
  }

  override render(): ReactNode {
    return this.props.children
  }
}

/** Measures a component, by its own name unless another is given. */
export function withProfiler<P extends object>(
  Wrapped: ComponentType<P>,
  options: Partial<Pick<ProfilerProps, 'name' | 'includeUpdates'>> = {},
): FunctionComponent<P> {
  const name = componentName(Wrapped)
  function Profiled(props: P): ReactNode {
    const updateProps = props as Readonly<Record<string, unknown>>
    return createElement(Profiler, { name, ...options, updateProps }, createElement(Wrapped, props))
  }
  Profiled.displayName = `profiler(${name})`
  return Profiled
}

/** Measures the mounting of the component that calls it. */
export function useProfiler(name: string): void {
  const [startedAt] = useState(now)
  useEffect(() => measure('mount', name, startedAt), [name, startedAt])
}

/** Adds a span that ends now. One that React never finishes to render leaves no open span behind. */
function measure(phase: string, name: string, startedAt: number, attributes?: Attributes): void {
  if (getActiveSpan() === null) return
  const op = `ui.react.${phase}`
  const origin = 'auto.ui.react.profiler'
  startInactiveSpan({
    name: `<${name}>`,
    op,
    origin,
    startedAt,
    ...(attributes && { attributes }),
  }).end()
}
