import type { Metadata } from 'next'
import { headers } from 'next/headers'
import { redirect } from 'next/navigation'
import { localPath } from '../../data/local-path.ts'
import { currentUser } from '../../data/session.ts'
import { AccountFrame } from '../../features/account/account-frame.tsx'
import { SignIn } from './sign-in.tsx'

export const metadata: Metadata = { title: 'Sign in' }

export default async function SignInPage(props: {
  searchParams: Promise<Record<string, string | string[] | undefined>>
}) {
  const { to } = await props.searchParams
  const target = (typeof to === 'string' ? localPath(to) : null) ?? '/issues'
  if ((await currentUser()) !== null) redirect(target)
  const host = (await headers()).get('host') ?? 'this server'
  return (
    <AccountFrame title="Sign in" place={host}>
      <SignIn to={target} />
    </AccountFrame>
  )
}
