'use client'

import type { Answer } from './answer.ts'
import { sendApi } from './browser.ts'

export interface TokenRow {
  readonly id: string
  readonly name: string
  readonly dateCreated: string
  /** Null when it was never used. */
  readonly lastUsedAt: string | null
}

/** Creates a token. Its secret is in this answer only. */
export function createToken(name: string): Promise<Answer<TokenRow & { readonly token: string }>> {
  return sendApi('/api/0/api-tokens/', { method: 'POST', body: { name } })
}

export function revokeToken(id: string): Promise<Answer<unknown>> {
  return sendApi(`/api/0/api-tokens/${encodeURIComponent(id)}/`, { method: 'DELETE' })
}

/** Changes the password through better-auth's own endpoint, and ends the account's other sessions. */
export function changePassword(input: {
  currentPassword: string
  newPassword: string
}): Promise<Answer<unknown>> {
  return sendApi('/api/auth/change-password', {
    method: 'POST',
    body: { ...input, revokeOtherSessions: true },
  })
}
