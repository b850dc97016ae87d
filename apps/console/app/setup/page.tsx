import type { Metadata } from 'next'
import { headers } from 'next/headers'
import { isSetUpNeeded } from '../../data/session.ts'
import { AccountFrame } from '../../features/account/account-frame.tsx'
import { ButtonLink } from '../../ui/button.tsx'
import { State } from '../../ui/state.tsx'
import { SetUp } from './set-up.tsx'

export const metadata: Metadata = { title: 'Set up', referrer: 'no-referrer' }

/** Draws the page of the first start's one-time link, which works until there is an owner. */
export default async function SetUpPage(props: {
  searchParams: Promise<Record<string, string | string[] | undefined>>
}) {
  const { token } = await props.searchParams
  const host = (await headers()).get('host') ?? 'this server'
  return (
    <AccountFrame title="The first account" place={`Owner of ${host}`}>
      {!(await isSetUpNeeded()) ? (
        <State
          isList
          kind="forbidden"
          title="This link has been used"
          action={<ButtonLink href="/sign-in">Sign in</ButtonLink>}
        >
          The server has its owner account. The link worked once.
        </State>
      ) : typeof token === 'string' && token !== '' ? (
        <SetUp token={token} />
      ) : (
        <State isList kind="forbidden" title="This link has no token">
          The server prints the whole link when it starts for the first time.
        </State>
      )}
    </AccountFrame>
  )
}
