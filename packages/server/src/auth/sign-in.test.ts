import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openSqliteMetadata, type SqliteMetadata } from '../storage/metadata/sqlite.ts'
import { createAuth, type Auth } from './sign-in.ts'
import {
  applyOwnerOfSettings,
  createOwnerByLink,
  createOwnerLink,
  hasUsers,
  seedOwner,
  setPassword,
} from './owner.ts'
import { isSameOrigin } from './same-origin.ts'
import { hashToken } from './tokens.ts'

const owner = { name: 'Ada', email: 'ada@example.com', password: 'correct horse' }

let metadata: SqliteMetadata
beforeEach(async () => {
  metadata = await openSqliteMetadata({ file: ':memory:' })
})
afterEach(() => metadata.close())

type AuthConfig = Parameters<typeof createAuth>[0]['config']

function authAt(baseUrl: string): Auth {
  const config = { baseUrl, secretKey: 'k'.repeat(32) } as AuthConfig
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

/** As a program sends it, unless it has headers of a browser. */
async function post(
  auth: Auth,
  path: string,
  body: object,
  headers: Record<string, string> = {},
): Promise<Response> {
  return auth.handler(
    new Request(`http://localhost:9000/api/auth/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', host: 'localhost:9000', ...headers },
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

  test('stops those who guess at one account from many addresses, not who has signed in before', async () => {
    const auth = authAt('http://localhost:9000')
    await seedOwner(metadata, owner)
    expect((await signIn(auth)).status).toBe(200)
    const statuses: number[] = []
    for (let attempt = 0; attempt < 22; attempt += 1) {
      const from = { 'x-forwarded-for': `198.51.100.${attempt % 12}` }
      statuses.push((await signIn(auth, { ...owner, password: 'wrong horse' }, from)).status)
    }
    expect(statuses.slice(0, 20)).toEqual(Array.from({ length: 20 }, () => 401))
    expect(statuses.slice(20)).toEqual([429, 429])
    const elsewhere = await signIn(auth, owner, { 'x-forwarded-for': '203.0.113.5' })
    expect(elsewhere.status).toBe(429)
    expect(await elsewhere.json()).toMatchObject({ message: expect.stringContaining('15 minutes') })
    expect((await signIn(auth)).status).toBe(200)
  })

  test('a crowd that signs in at once is turned away past a bound, and works off', async () => {
    const auth = authAt('http://localhost:9000')
    await seedOwner(metadata, owner)
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, index) =>
        signIn(auth, owner, { 'x-forwarded-for': `198.51.100.${index}` }),
      ),
    )
    const count = (status: number) => answers.filter((it) => it.status === status).length
    expect(count(200)).toBeGreaterThanOrEqual(40)
    expect(count(429)).toBe(60 - count(200))
  })

  test('the store holds no token by which somebody could be signed in', async () => {
    const auth = authAt('http://localhost:9000')
    await seedOwner(metadata, owner)
    const response = await signIn(auth)
    const { token } = (await response.json()) as { token: string }
    const rows = await metadata.all<{ token: string }>('select * from sessions')
    expect(rows).toHaveLength(1)
    expect(JSON.stringify(rows)).not.toContain(token)
    expect(rows[0]?.token).toBe(hashToken(token))
  })

  test('a changed password ends the other sessions', async () => {
    const auth = authAt('http://localhost:9000')
    await seedOwner(metadata, owner)
    const other = cookieOf(await signIn(auth))
    const headers = cookieOf(await signIn(auth))
    headers.set('origin', 'http://localhost:9000')
    headers.set('host', 'localhost:9000')
    headers.set('content-type', 'application/json')
    const changed = await auth.handler(
      new Request('http://localhost:9000/api/auth/change-password', {
        method: 'POST',
        headers,
        body: JSON.stringify({
          currentPassword: owner.password,
          newPassword: 'another horse',
          revokeOtherSessions: true,
        }),
      }),
    )
    expect(changed.status).toBe(200)
    expect(await auth.userOf(other)).toBeNull()
    expect(await auth.userOf(cookieOf(changed))).toMatchObject({ email: owner.email })
  })

  test('refuses a page of another site', async () => {
    const auth = authAt('http://localhost:9000')
    await seedOwner(metadata, owner)
    const cookie = cookieOf(await signIn(auth)).get('cookie') ?? ''
    const answer = await signIn(auth, owner, { origin: 'https://evil.example', cookie })
    expect(answer.status).toBe(403)
  })

  test('accepts the site it is asked as, whatever the base URL, and programs that name no site', async () => {
    const auth = authAt('http://localhost:9000')
    await seedOwner(metadata, owner)
    const from = { 'x-forwarded-for': '192.0.2.21' }
    const proxied = { ...from, origin: 'https://errors.test', host: 'errors.test' }
    expect((await signIn(auth, owner, proxied)).status).toBe(200)
    // A browser that has a cookie already is asked for its origin once more.
    expect((await signIn(auth, owner, { ...proxied, cookie: 'a=b' })).status).toBe(200)
    expect((await post(auth, 'sign-in/email', owner)).status).toBe(200)
  })

  test('refuses a change of which no page of its site can be the sender', async () => {
    const auth = authAt('http://localhost:9000')
    await seedOwner(metadata, owner)
    const signedIn = await signIn(auth, owner, { 'x-forwarded-for': '192.0.2.20' })
    const cookie = cookieOf(signedIn).get('cookie') ?? ''
    for (const headers of [
      { cookie },
      { 'sec-fetch-site': 'cross-site' },
      { origin: 'https://evil.example' },
      { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site', cookie },
    ]) {
      expect((await post(auth, 'sign-out', {}, headers)).status).toBe(403)
    }
    expect(await auth.userOf(new Headers({ cookie }))).not.toBeNull()
  })

  test.each(['GET', 'HEAD'])('lets pages of other sites link to it by %s', async (method) => {
    const auth = authAt('http://localhost:9000')
    const headers = { 'sec-fetch-site': 'cross-site', cookie: 'a=b' }
    const url = 'http://localhost:9000/api/auth/get-session'
    expect((await auth.handler(new Request(url, { method, headers }))).status).not.toBe(403)
  })

  test('counts wrong passwords alone, and forgets them when the right one comes', async () => {
    const auth = authAt('http://localhost:9000')
    await seedOwner(metadata, owner)
    let tries = 0
    const tryAs = async (body: object) => {
      tries += 1
      return (await signIn(auth, body, { 'x-forwarded-for': `198.51.100.${tries}` })).status
    }
    for (let round = 0; round < 2; round += 1) {
      for (let n = 0; n < 19; n += 1) {
        expect(await tryAs({ ...owner, password: 'wrong horse' })).toBe(401)
      }
      expect(await tryAs(owner)).toBe(200)
    }
    for (let n = 0; n < 20; n += 1) expect(await tryAs({ email: owner.email })).toBe(400)
    expect(await tryAs({ ...owner, email: 7 })).toBe(400)
    expect(await tryAs(owner)).toBe(200)
  })

  test('no other request opens an account that is locked, nor one without an address', async () => {
    const auth = authAt('http://localhost:9000')
    await seedOwner(metadata, owner)
    expect((await auth.signIn({ ...owner, headers: new Headers() })).status).toBe(200)
    for (let n = 0; n < 20; n += 1) {
      const from = { 'x-forwarded-for': `198.51.100.${n}` }
      await signIn(auth, { ...owner, password: 'wrong horse' }, from)
    }
    await post(auth, 'sign-out', owner, { 'x-forwarded-for': '203.0.113.1' })
    expect((await signIn(auth, owner, { 'x-forwarded-for': '203.0.113.2' })).status).toBe(429)
    expect((await post(auth, 'sign-in/email', owner)).status).toBe(429)
  })

  test('says in the log of the server when its store fails', async () => {
    const logged: [object, string][] = []
    const log = {
      error: (details: object, message: string) => void logged.push([details, message]),
    }
    const config = { baseUrl: 'http://localhost:9000', secretKey: 'k'.repeat(32) } as AuthConfig
    const auth = createAuth({ config, metadata, log: log as never })
    await seedOwner(metadata, owner)
    await metadata.all('drop table sessions')
    expect((await signIn(auth, owner, { 'x-forwarded-for': '192.0.2.22' })).status).toBe(500)
    expect(logged).toEqual([[expect.any(Object), 'sign-in: no such table: sessions']])
  })

  test.each(['database', 'exclusively'])('needs a store with its %s', async (member) => {
    const other = {
      database: metadata.database,
      exclusively: metadata.exclusively,
      [member]: undefined,
    }
    const config = { baseUrl: 'http://localhost:9000', secretKey: 'k'.repeat(32) } as AuthConfig
    const asked = async () => {
      const auth = createAuth({ config, metadata: other as never })
      return auth.userOf(new Headers({ cookie: 'a=b' }))
    }
    await expect(asked()).rejects.toMatchObject({ code: 'STORAGE_FAILED' })
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

  test('gets in again by another password in the settings; one changed in the console stays', async () => {
    const auth = authAt('http://localhost:9000')
    const statusOf = async (password: string) =>
      (await auth.signIn({ email: owner.email, password, headers: new Headers() })).status
    expect(await applyOwnerOfSettings(metadata, owner)).toBe('made')
    const session = cookieOf(await auth.signIn({ ...owner, headers: new Headers() }))
    await setPassword(metadata, 'Ada@example.com', 'set in the console')
    expect(await auth.userOf(session)).toBeNull()
    expect(await applyOwnerOfSettings(metadata, owner)).toBe('unchanged')
    expect(await statusOf('set in the console')).toBe(200)
    const changed = { ...owner, password: 'new in the settings' }
    expect(await applyOwnerOfSettings(metadata, changed)).toBe('changed')
    expect(await statusOf('set in the console')).toBe(401)
    expect(await statusOf('new in the settings')).toBe(200)
  })

  test('a new password is for an account that is there, and long enough', async () => {
    await seedOwner(metadata, owner)
    await expect(setPassword(metadata, 'eve@example.com', 'long enough')).rejects.toThrow(
      /no account of eve@example.com/,
    )
    await expect(setPassword(metadata, owner.email, 'short')).rejects.toThrow(/8 to 128/)
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
