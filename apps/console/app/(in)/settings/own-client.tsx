'use client'

import { clientLimits } from '@afterimage/next/client-limits'
import { useMemo, useSyncExternalStore, type ComponentProps } from 'react'
import { clientFacts, watchClientFacts, type ClientFacts } from '../../../data/client-facts.ts'
import { ClientSection } from '../../../features/settings/client-section.tsx'

/** Shows the console's own client in this tab; the server has no knowledge of it. */
export function OwnClient(props: Pick<ComponentProps<typeof ClientSection>, 'told'>) {
  const facts = useSyncExternalStore(watchClientFacts, clientFacts, unknown)
  const client = useMemo(
    () => (facts === null ? null : (JSON.parse(facts) as ClientFacts)),
    [facts],
  )
  return <ClientSection client={client} limits={clientLimits} told={props.told} />
}

function unknown(): null {
  return null
}
