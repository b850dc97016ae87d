import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openSqliteMetadata, type SqliteMetadata } from '../storage/metadata/sqlite.ts'
import { createAuth, type Auth } from './auth.ts'
import { createOwnerByLink, createOwnerLink, hasUsers, seedOwner } from './auth-owner.ts'
import { isSameOrigin } from './same-origin.ts'

const owner = { name: 'Ada', email: 'ada@example.com', password: 'correct horse' }

let metadata: SqliteMetadata
beforeEach(async () => {
  metadata = await openSqliteMetadata({ file: ':memory:' })
})
afterEach(() => metadata.close())

function authAt(baseUrl: string): Auth {
  const config = { baseUrl, secretKey: 'k'.repeat(32) } as Parameters<
    typeof createAuth
  >[0]['config']
  return createAuth({ config, metadata })
}

async function signIn(
  auth: Auth,
  body: object = { email: owner.email, password: owner.password },
  headers: Record<string, string> = {},
): Promise<Response> {
  return auth.handler(
    new Request('http://localhost:9000/api/auth/sign-in/email', {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        origin: 'http://localhost:9000',
        host: 'localhost:9000',
        'x-forwarded-for': '192.0.2.1',
        ...headers,
      },
      body: JSON.stringify(body),
    }),
  )
}

const cookieOf = (response: Response) =>
  new Headers({ cookie: response.headers.get('set-cookie')?.split(';')[0] ?? '' })

describe('sign-in', () => {
  test('gives a session cookie that scripts cannot read, and forgets it at sign-out', async () => {
    const auth = authAt('http://localhost:9000')
    await seedOwner(metadata, owner)
    const response = await signIn(auth)
    expect(response.status).toBe(200)
    expect(response.headers.get('set-cookie')).toMatch(/HttpOnly/i)
    expect(response.headers.get('set-cookie')).toMatch(/SameSite=Lax/i)
    expect(response.headers.get('set-cookie')).not.toMatch(/Secure/i)
    const headers = cookieOf(response)
    expect(await auth.userOf(headers)).toMatchObject({ name: 'ada', email: owner.email })
    headers.set('origin', 'http://localhost:9000')
    headers.set('host', 'localhost:9000')
    const out = await auth.handler(
      new Request('http://localhost:9000/api/auth/sign-out', { method: 'POST', headers }),
    )
    expect(out.status).toBe(200)
    expect(await auth.userOf(headers)).toBeNull()
  })

  test('the cookie is for https only when the base URL is', async () => {
    const auth = authAt('https://errors.example.com')
    await seedOwner(metadata, owner)
    const response = await auth.signIn({ ...owner, headers: new Headers() })
    expect(response.headers.get('set-cookie')).toMatch(/Secure/i)
  })

  test('refuses a wrong password, an unknown person, a forged cookie, and registration', async () => {
    const auth = authAt('http://localhost:9000')
    await seedOwner(metadata, owner)
    expect((await signIn(auth, { ...owner, password: 'wrong horse' })).status).toBe(401)
    expect((await signIn(auth, { ...owner, email: 'eve@example.com' })).status).toBe(401)
    expect(
      await auth.userOf(new Headers({ cookie: 'afterimage.session_token=abc.def' })),
    ).toBeNull()
    const signUp = await auth.handler(
      new Request('http://localhost:9000/api/auth/sign-up/email', {
        method: 'POST',
        headers: { 'content-type': 'application/json', origin: 'http://localhost:9000' },
        body: JSON.stringify({ ...owner, email: 'eve@example.com' }),
      }),
    )
    expect(signUp.status).toBe(400)
    expect(await metadata.all('select email from users')).toEqual([{ email: owner.email }])
  })

  test('stops an address that keeps guessing', async () => {
    const auth = authAt('http://localhost:9000')
    await seedOwner(metadata, owner)
    const from = { 'x-forwarded-for': '192.0.2.77' }
    const statuses: number[] = []
    for (let attempt = 0; attempt < 11; attempt += 1) {
      statuses.push((await signIn(auth, { email: 'eve@example.com', password: 'x' }, from)).status)
    }
    expect(statuses.at(-1)).toBe(429)
    expect(statuses.slice(0, 10)).not.toContain(429)
  })

  test('refuses a page of another site', async () => {
    const auth = authAt('http://localhost:9000')
    await seedOwner(metadata, owner)
    const cookie = cookieOf(await signIn(auth)).get('cookie') ?? ''
    const answer = await signIn(auth, owner, { origin: 'https://evil.example', cookie })
    expect(answer.status).toBe(403)
  })

  test('does not write into a transaction that is open', async () => {
    const auth = authAt('http://localhost:9000')
    await seedOwner(metadata, owner)
    const gate = Promise.withResolvers<void>()
    const failing = metadata.transaction(async () => {
      await gate.promise
      throw new Error('rolled back')
    })
    const signedIn = auth.signIn({ ...owner, headers: new Headers() })
    await Promise.resolve()
    gate.resolve()
    await expect(failing).rejects.toThrow('rolled back')
    expect(await auth.userOf(cookieOf(await signedIn))).toMatchObject({ email: owner.email })
  })
})

describe('the owner', () => {
  test('is made by the link, once, and then signs in', async () => {
    const auth = authAt('http://localhost:9000')
    const secret = await createOwnerLink(metadata)
    expect(await hasUsers(metadata)).toBe(false)
    await createOwnerByLink(metadata, secret, owner)
    expect(await hasUsers(metadata)).toBe(true)
    await expect(
      createOwnerByLink(metadata, secret, { ...owner, email: 'eve@example.com' }),
    ).rejects.toMatchObject({ code: 'INPUT_INVALID' })
    expect((await auth.signIn({ ...owner, headers: new Headers() })).status).toBe(200)
  })

  test('a wrong field leaves the link as it was; a newer link replaces an older one', async () => {
    const older = await createOwnerLink(metadata)
    const newer = await createOwnerLink(metadata)
    await expect(createOwnerByLink(metadata, older, owner)).rejects.toThrow(/token/)
    await expect(
      createOwnerByLink(metadata, newer, { ...owner, password: 'short' }),
    ).rejects.toThrow(/password/)
    await createOwnerByLink(metadata, newer, owner)
  })

  test('a link older than seven days is refused', async () => {
    const secret = await createOwnerLink(metadata)
    await metadata.all('update setup_links set created_at = created_at - ?', 8 * 24 * 3_600_000)
    await expect(createOwnerByLink(metadata, secret, owner)).rejects.toThrow(/seven days/)
  })

  test('of the settings is made only when there is nobody', async () => {
    expect(await seedOwner(metadata, owner)).toBe(true)
    expect(await seedOwner(metadata, { ...owner, email: 'other@example.com' })).toBe(false)
    expect(await metadata.all('select email from users')).toEqual([{ email: owner.email }])
  })
})

test.each([
  [{ origin: 'http://a.test', host: 'a.test' }, true],
  [{ 'sec-fetch-site': 'same-origin' }, true],
  [{ 'sec-fetch-site': 'cross-site', origin: 'http://a.test', host: 'a.test' }, false],
  [{ 'sec-fetch-site': 'same-site' }, false],
  [{ origin: 'http://b.test', host: 'a.test' }, false],
  [{ origin: 'null', host: 'a.test' }, false],
  [{}, false],
])('same origin %o: %s', (headers: Record<string, string>, expected) => {
  expect(isSameOrigin(new Request('http://a.test/', { headers }))).toBe(expected)
})
