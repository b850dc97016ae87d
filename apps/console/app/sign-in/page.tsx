import type { Metadata } from 'next'
import { headers } from 'next/headers'
import { redirect } from 'next/navigation'
import { currentUser } from '../../data/session.ts'
import { AccountFrame } from '../../features/account/account-frame.tsx'
import { SignIn } from './sign-in.tsx'

export const metadata: Metadata = { title: 'Sign in' }

export default async function SignInPage(props: {
  searchParams: Promise<Record<string, string | string[] | undefined>>
}) {
  const { to } = await props.searchParams
  const target = localPath(typeof to === 'string' ? to : null)
  if ((await currentUser()) !== null) redirect(target)
  const host = (await headers()).get('host') ?? 'this server'
  return (
    <AccountFrame title="Sign in" place={host}>
      <SignIn to={target} />
    </AccountFrame>
  )
}

/** Only a path of this server: `//elsewhere` and `/\elsewhere` lead away. */
function localPath(path: string | null): string {
  return path !== null && /^\/(?![/\\])/.test(path) ? path : '/issues'
}
