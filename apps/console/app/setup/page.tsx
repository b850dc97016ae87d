import type { Metadata } from 'next'
import { headers } from 'next/headers'
import { AccountFrame } from '../../features/account/account-frame.tsx'
import { State } from '../../ui/state.tsx'
import { SetUp } from './set-up.tsx'

export const metadata: Metadata = { title: 'Set up', referrer: 'no-referrer' }

/** The one-time link of the first start leads here. The token is checked when it is used. */
export default async function SetUpPage(props: {
  searchParams: Promise<Record<string, string | string[] | undefined>>
}) {
  const { token } = await props.searchParams
  const host = (await headers()).get('host') ?? 'this server'
  return (
    <AccountFrame title="The first account" place={`Owner of ${host}`}>
      {typeof token === 'string' && token !== '' ? (
        <SetUp token={token} />
      ) : (
        <State isList kind="forbidden" title="This link has no token">
          The server prints the whole link when it starts for the first time.
        </State>
      )}
    </AccountFrame>
  )
}
