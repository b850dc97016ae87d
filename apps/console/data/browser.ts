'use client'

import { readAnswer, unreachable, type Answer } from './answer.ts'

/** Asks the API from the browser, with the session's cookie. `path` begins with `/api/`. */
export async function sendApi<T>(
  path: string,
  init: { method?: string; body?: unknown; signal?: AbortSignal } = {},
): Promise<Answer<T>> {
  try {
    const response = await fetch(path, {
      method: init.method ?? 'GET',
      credentials: 'same-origin',
      headers: {
        accept: 'application/json',
        ...(init.body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(init.body === undefined ? {} : { body: JSON.stringify(init.body) }),
      ...(init.signal === undefined ? {} : { signal: init.signal }),
    })
    return await readAnswer<T>(response)
  } catch (cause) {
    return unreachable(cause)
  }
}
