'use client'

import type { Answer } from './answer.ts'
import { sendApi } from './browser.ts'

export function signIn(input: { email: string; password: string }): Promise<Answer<unknown>> {
  return sendApi('/api/auth/sign-in/email', { method: 'POST', body: input })
}

export function signOut(): Promise<Answer<unknown>> {
  return sendApi('/api/auth/sign-out', { method: 'POST', body: {} })
}

/** Creates the owner's account with the one-time token of the first start's link. */
export function setUpOwner(input: {
  token: string
  name: string
  email: string
  password: string
}): Promise<Answer<unknown>> {
  return sendApi('/api/0/setup/', { method: 'POST', body: input })
}

/** Keeps the theme in a cookie, so that the server's first paint has it, and shows it at once. */
export function chooseTheme(theme: 'light' | 'dark' | 'system'): void {
  document.cookie = `afterimage_theme=${theme}; path=/; max-age=31536000; samesite=lax`
  if (theme === 'system') delete document.documentElement.dataset['theme']
  else document.documentElement.dataset['theme'] = theme
}
