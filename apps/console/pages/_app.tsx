import '../styles/tokens.css'
import '../styles/base.css'
import { captureThrown } from '@afterimage/sdk-core/api'
import type { AppProps } from 'next/app'
import Head from 'next/head'
import Link from 'next/link'
import { useRouter } from 'next/router'
import { useEffect, useMemo } from 'react'
import { limitTransition, noteHardAttempt, noteShown } from '../data/loading-limit.ts'
import { OutermostBoundary } from '../features/share/outermost-boundary.tsx'
import { fontRule } from '../styles/fonts.ts'
import { ClockProvider } from '../ui/clock.tsx'
import { NavigationProvider, type Navigation } from '../ui/navigation.tsx'
import { TooltipProvider } from '../ui/tooltip.tsx'

/**
 * Every page of the pages mode, inside the outermost boundary. An error while it is drawn in the
 * browser ends in the client-side-exception message, and nowhere else.
 */
export default function PagesApp({ Component, pageProps }: AppProps) {
  const router = useRouter()
  const navigation = useMemo<Navigation>(
    () => ({
      Link: Link as Navigation['Link'],
      go: (href, options) =>
        void router[options?.replace === true ? 'replace' : 'push'](href, undefined, {
          scroll: options?.scroll ?? true,
        }),
      refresh: () => void router.replace(router.asPath),
      prefetch: (href) => void router.prefetch(href),
    }),
    [router],
  )
  useEffect(noteShown, [])
  useEffect(() => {
    const onError = (error: { readonly cancelled?: boolean }, url: string): void => {
      // A failure other than a cancellation continues as a hard navigation.
      if (error.cancelled !== true) noteHardAttempt(url)
    }
    const onStart = (url: string, { shallow }: { readonly shallow: boolean }): void => {
      if (!shallow) limitTransition(url, 'push')
    }
    router.events.on('routeChangeStart', onStart)
    router.events.on('routeChangeComplete', noteShown)
    router.events.on('routeChangeError', onError)
    return () => {
      router.events.off('routeChangeStart', onStart)
      router.events.off('routeChangeComplete', noteShown)
      router.events.off('routeChangeError', onError)
    }
  }, [router])
  const { renderedAt } = pageProps as { renderedAt?: unknown }
  return (
    <OutermostBoundary onError={reportFailure}>
      <Head>
        <meta name="viewport" content="width=device-width, initial-scale=1" />
      </Head>
      <style>{fontRule}</style>
      <NavigationProvider value={navigation}>
        <ClockProvider renderedAt={typeof renderedAt === 'number' ? renderedAt : 0} timeZone="UTC">
          <TooltipProvider>
            <Component {...pageProps} />
          </TooltipProvider>
        </ClockProvider>
      </NavigationProvider>
    </OutermostBoundary>
  )
}

function reportFailure(error: unknown, componentStack: string): void {
  captureThrown(error, {
    mechanism: { type: 'react.boundary', handled: false },
    context: { contexts: { react: { componentStack } } },
  })
}
