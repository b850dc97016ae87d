import { createOwnerByLink, hasUsers } from './owner.ts'
import { readBody, requiredText } from '../api/body.ts'
import type { Routes } from '../api/context.ts'
import { ApiProblem, badRequest } from '../api/problem.ts'
import { isSameOrigin } from './same-origin.ts'

/** The owner account, by its one-time link. The answer signs the owner in. */
export const setupRoutes: Routes = (app, api) => {
  app.get('/setup/', async (c) => c.json({ isNeeded: !(await hasUsers(api.metadata)) }))

  app.post('/setup/', async (c) => {
    const { headers } = c.req.raw
    const isBrowser = headers.has('origin') || headers.has('sec-fetch-site')
    if (isBrowser && !isSameOrigin(c.req.raw)) {
      throw new ApiProblem(403, 'CSRF: a change must come from a page of this site.')
    }
    const body = await readBody(c)
    const token = requiredText(body, 'token', 200)
    const password = body['password']
    // Not trimmed: a password may begin with a space.
    if (typeof password !== 'string') throw badRequest('password: is required')
    const owner = {
      name: requiredText(body, 'name', 200),
      email: requiredText(body, 'email', 320),
      password,
    }
    await createOwnerByLink(api.metadata, token, owner)
    const signedIn = await api.auth.signIn({ ...owner, headers })
    for (const cookie of signedIn.headers.getSetCookie()) {
      c.header('set-cookie', cookie, { append: true })
    }
    return c.json({ email: owner.email.toLowerCase() }, 201)
  })
}
