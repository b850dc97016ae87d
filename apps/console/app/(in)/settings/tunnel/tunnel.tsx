'use client'

import type { SelfMonitoring } from '@afterimage/protocol/self-monitoring'
import { useSyncExternalStore } from 'react'
import { addressOf, testWay } from '../../../../data/tunnel-test.ts'
import { TunnelTest, type TestedWay } from '../../../../features/tunnel-test/tunnel-test.tsx'

/** Runs the test of the tunnel. Only the browser knows the addresses. */
export function Tunnel(props: { readonly self: SelfMonitoring }) {
  const { self } = props
  const isInBrowser = useSyncExternalStore(
    never,
    () => true,
    () => false,
  )
  const ways: TestedWay[] = (['tunnel', 'direct'] as const).map((way) => ({
    way,
    address: isInBrowser ? (addressOf(way, self) ?? '').replace(/\?sentry_.*/, '') : '',
  }))
  return <TunnelTest ways={ways} onTest={(way) => testWay(way, self)} />
}

function never(): () => void {
  return () => undefined
}
