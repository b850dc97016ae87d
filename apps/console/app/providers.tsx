'use client'

import NextLink, { useLinkStatus } from 'next/link'
import { useRouter } from 'next/navigation'
import { type ComponentProps, useMemo, useTransition, type ReactNode } from 'react'
import { ClockProvider } from '../ui/clock.tsx'
import { NavigationProvider, type LinkProps, type Navigation } from '../ui/navigation.tsx'
import { PendingLine } from '../ui/pending-line.tsx'
import { ToastProvider } from '../ui/toast.tsx'
import { TooltipProvider } from '../ui/tooltip.tsx'

/** Gives `ui` its surroundings: the router, a clock, the visitor's time zone, a place for toasts. */
export function Providers(props: {
  readonly renderedAt: number
  readonly timeZone: string
  readonly children: ReactNode
}) {
  const router = useRouter()
  const [isGoing, startGoing] = useTransition()
  const navigation = useMemo<Navigation>(
    () => ({
      Link: PatientLink,
      go: (href, options) =>
        startGoing(() =>
          router[options?.replace === true ? 'replace' : 'push'](href, {
            scroll: options?.scroll ?? true,
          }),
        ),
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
          {isGoing ? <PendingLine /> : null}
        </TooltipProvider>
      </ClockProvider>
    </NavigationProvider>
  )
}

/** Draws a link that shows when its page is slow to load. */
function PatientLink({ children, ...rest }: LinkProps) {
  return (
    <NextLink {...(rest as ComponentProps<typeof NextLink>)}>
      {children}
      <Pending />
    </NextLink>
  )
}

function Pending() {
  return useLinkStatus().pending ? <PendingLine /> : null
}
