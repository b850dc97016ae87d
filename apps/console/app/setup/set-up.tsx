'use client'

import { setUpOwner } from '../../data/account.ts'
import { OwnerForm } from '../../features/account/owner-form.tsx'

export function SetUp(props: { readonly token: string }) {
  return (
    <OwnerForm
      onSubmit={async (input) => {
        const made = await setUpOwner({ token: props.token, ...input })
        if (!made.isOk) return made.detail
        // The answer has signed the owner in.
        location.assign('/projects/new')
        return null
      }}
    />
  )
}
