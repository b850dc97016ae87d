import type { ReactNode } from 'react'
import styles from './marker-icon.module.css'

export type Marker =
  | 'fatal'
  | 'error'
  | 'warning'
  | 'info'
  | 'debug'
  | 'click'
  | 'rage'
  | 'navigation'
  | 'vital'
  | 'network'
  | 'input'
  | 'console'

const ink = {
  fill: 'none',
  stroke: 'currentColor',
  strokeLinecap: 'round',
  strokeLinejoin: 'round',
} as const

const SHAPES: Readonly<Record<Marker, ReactNode>> = {
  fatal: (
    <>
      <path d="M3.6.5h4.8l3.1 3.1v4.8l-3.1 3.1H3.6L.5 8.4V3.6z" fill="currentColor" />
      <path d="M4 4l4 4M8 4l-4 4" stroke="var(--paper)" strokeWidth="1.4" strokeLinecap="round" />
    </>
  ),
  error: <path d="M6 .6 11.4 6 6 11.4.6 6z" fill="currentColor" />,
  warning: (
    <>
      <path d="M6 1.3 11.2 10.5H.8z" {...ink} strokeWidth="1.5" />
      <path d="M6 4.8v2.4" {...ink} strokeWidth="1.3" />
    </>
  ),
  info: (
    <>
      <circle cx="6" cy="6" r="4.7" {...ink} strokeWidth="1.5" />
      <circle cx="6" cy="6" r="1.2" fill="currentColor" />
    </>
  ),
  debug: <circle cx="6" cy="6" r="2.5" {...ink} strokeWidth="1.5" />,
  click: <circle cx="6" cy="6" r="3" fill="currentColor" />,
  rage: (
    <>
      <circle cx="6" cy="6" r="1.9" fill="currentColor" />
      <circle cx="6" cy="6" r="4.7" {...ink} strokeWidth="1.4" />
    </>
  ),
  navigation: <path d="M2.5 1.5 10.5 6l-8 4.5z" fill="currentColor" />,
  vital: <path d="M2 10V7.5M6 10V2M10 10V5" {...ink} strokeWidth="1.8" />,
  network: (
    <path d="M1 4.2h8.5M7.4 2l2.3 2.2M11 7.8H2.5M4.6 10 2.3 7.8" {...ink} strokeWidth="1.3" />
  ),
  input: <path d="M3.5 1.5h5M3.5 10.5h5M6 1.5v9" {...ink} strokeWidth="1.3" />,
  console: <path d="M2 3.5 4.5 6 2 8.5M6 9h4" {...ink} strokeWidth="1.4" />,
}

/** The shape of a level or of a marker, 12px: they differ by shape before they differ by hue. */
export function MarkerIcon(props: { readonly kind: Marker; readonly size?: number }) {
  return (
    <svg
      className={styles[props.kind]}
      width={props.size ?? 12}
      height={props.size ?? 12}
      viewBox="0 0 12 12"
      role="img"
      aria-label={props.kind}
    >
      {SHAPES[props.kind]}
    </svg>
  )
}

/** The shape inside someone else's `<svg>`, as on a timeline: 12 by 12 from the origin. */
export function MarkerShape(props: { readonly kind: Marker }) {
  return <g className={styles[props.kind]}>{SHAPES[props.kind]}</g>
}

/** A level of Sentry's as one of ours; an unknown one is drawn as an error, as it is counted. */
export function LevelIcon(props: { readonly level: string; readonly size?: number }) {
  return (
    <MarkerIcon
      kind={levelMarker(props.level)}
      {...(props.size === undefined ? {} : { size: props.size })}
    />
  )
}

export function levelMarker(level: string): 'fatal' | 'error' | 'warning' | 'info' | 'debug' {
  if (level === 'fatal' || level === 'warning' || level === 'info' || level === 'debug')
    return level
  if (level === 'log' || level === 'sample') return 'info'
  return 'error'
}
