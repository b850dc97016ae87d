'use client'

import Link from 'next/link'
import { useRouter } from 'next/navigation'
import { useMemo, type ReactNode } from 'react'
import { ClockProvider } from '../ui/clock.tsx'
import { NavigationProvider, type Navigation } from '../ui/navigation.tsx'
import { ToastProvider } from '../ui/toast.tsx'
import { TooltipProvider } from '../ui/tooltip.tsx'

/** What `ui` needs from outside: the router, a clock, the visitor's time zone, a place for toasts. */
export function Providers(props: {
  readonly renderedAt: number
  readonly timeZone: string
  readonly children: ReactNode
}) {
  const router = useRouter()
  const navigation = useMemo<Navigation>(
    () => ({
      Link: Link as Navigation['Link'],
      go: (href, options) =>
        options?.replace === true
          ? router.replace(href, { scroll: options.scroll ?? true })
          : router.push(href, { scroll: options?.scroll ?? true }),
      refresh: () => router.refresh(),
      prefetch: (href) => router.prefetch(href),
    }),
    [router],
  )
  return (
    <NavigationProvider value={navigation}>
      <ClockProvider renderedAt={props.renderedAt} timeZone={props.timeZone}>
        <TooltipProvider>
          <ToastProvider>{props.children}</ToastProvider>
        </TooltipProvider>
      </ClockProvider>
    </NavigationProvider>
  )
}
