'use client'

import { setUpOwner } from '../../data/account.ts'
import { OwnerForm } from '../../features/account/owner-form.tsx'

export function SetUp(props: { readonly token: string }) {
  return (
    <OwnerForm
      onSubmit={async (input) => {
        const made = await setUpOwner({ token: props.token, ...input })
        // The API names the token as a field, which this form does not show.
        if (!made.isOk) return made.detail.replace(/^token: this/, 'This')
        // The answer signed the owner in.
        location.assign('/projects/new')
        return null
      }}
    />
  )
}
