'use client'

import { signIn } from '../../data/account.ts'
import { SignInForm } from '../../features/account/sign-in-form.tsx'

export function SignIn(props: { readonly to: string }) {
  return (
    <SignInForm
      onSubmit={async (input) => {
        const answer = await signIn(input)
        if (answer.isOk) {
          // A full page load: nothing rendered before the sign-in remains.
          location.assign(props.to)
          return null
        }
        if (answer.status === 401) return 'E-mail or password is wrong.'
        if (answer.status === 429) return 'Too many attempts. Try again in a minute.'
        return answer.detail
      }}
    />
  )
}
