'use client'

import { setUpOwner, signIn } from '../../data/account.ts'
import { OwnerForm } from '../../features/account/owner-form.tsx'

export function SetUp(props: { readonly token: string }) {
  return (
    <OwnerForm
      onSubmit={async (input) => {
        const made = await setUpOwner({ token: props.token, ...input })
        if (!made.isOk) return made.detail
        const signedIn = await signIn({ email: input.email, password: input.password })
        location.assign(signedIn.isOk ? '/projects/new' : '/sign-in')
        return null
      }}
    />
  )
}
