import { headers } from 'next/headers'
import { cache } from 'react'
import { askInProcess } from './in-process.ts'
import type { Answer } from './answer.ts'

/**
 * Asks the API for a server component, in the visitor's name. Asked twice for one path while one
 * page is rendered, it is asked once.
 */
export const ask = cache(async (path: string): Promise<Answer<unknown>> => {
  return await askInProcess<unknown>(path, (await headers()).get('cookie'))
})

/** `ask`, with the shape that the protocol promises for that path. */
export async function askApi<T>(path: string): Promise<Answer<T>> {
  return (await ask(path)) as Answer<T>
}

export { queryString } from './query-string.ts'
