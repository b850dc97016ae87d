'use client'

import { createContext, useContext, useEffect, useMemo, useState, type ReactNode } from 'react'
import { exactTime, relativeTime } from './time-words.ts'

interface Clock {
  /** ms since the epoch; moves every ten seconds. */
  readonly now: number
  /** IANA name; `UTC` until the browser has said where it is. */
  readonly timeZone: string
}

const TICK_MS = 10_000
const ClockContext = createContext<Clock>({ now: 0, timeZone: 'UTC' })

/**
 * One clock for the page. It starts at the server's moment and in the server's idea of the visitor's
 * time zone, so that hydration finds the very words the server wrote, and moves on from there.
 */
export function ClockProvider(props: {
  readonly renderedAt: number
  readonly timeZone: string
  readonly children: ReactNode
}) {
  const [clock, setClock] = useState<Clock>({ now: props.renderedAt, timeZone: props.timeZone })
  useEffect(() => {
    const timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone
    if (timeZone !== props.timeZone) {
      document.cookie = `afterimage_time_zone=${encodeURIComponent(timeZone)}; path=/; max-age=31536000; samesite=lax`
    }
    const tick = () => setClock({ now: Date.now(), timeZone })
    tick()
    const timer = setInterval(tick, TICK_MS)
    return () => clearInterval(timer)
  }, [props.timeZone])
  const value = useMemo(() => clock, [clock])
  return <ClockContext.Provider value={value}>{props.children}</ClockContext.Provider>
}

export function useClock(): Clock {
  return useContext(ClockContext)
}

/** "12 s ago", with the exact time on hover and for a screen reader. `at` is ISO or ms. */
export function RelativeTime(props: {
  readonly at: string | number
  /** `age` says "2 h old" instead of "2 h ago"; `plain` says "2 h". */
  readonly form?: 'ago' | 'age' | 'plain'
  readonly className?: string
}) {
  const words = (at: number, { now }: Clock): string => relativeTime(at, now, props.form ?? 'ago')
  return <Time at={props.at} className={props.className} words={words} />
}

/** "Fri 10:46", or with the date when it is not of this week; exact on hover. */
export function ClockTime(props: {
  readonly at: string | number
  readonly exact?: boolean
  readonly className?: string
}) {
  const words = (at: number, { now, timeZone }: Clock): string =>
    props.exact === true ? exactTime(at, timeZone) : shortTime(at, now, timeZone)
  return <Time at={props.at} className={props.className} words={words} />
}

function Time(props: {
  readonly at: string | number
  readonly className: string | undefined
  readonly words: (at: number, clock: Clock) => string
}) {
  const clock = useClock()
  const at = typeof props.at === 'number' ? props.at : Date.parse(props.at)
  if (!Number.isFinite(at)) return <span className={props.className}>unknown</span>
  return (
    <time
      className={props.className}
      dateTime={new Date(at).toISOString()}
      title={exactTime(at, clock.timeZone)}
      suppressHydrationWarning
    >
      {props.words(at, clock)}
    </time>
  )
}

/** "Fri 10:46" within the week, "14 Mar 10:46" before. */
export function shortTime(at: number, now: number, timeZone: string): string {
  const isThisWeek = Math.abs(now - at) < 6 * 86_400_000
  return new Intl.DateTimeFormat('en-GB', {
    timeZone,
    ...(isThisWeek ? { weekday: 'short' } : { day: 'numeric', month: 'short' }),
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  })
    .format(at)
    .replace(',', '')
}
