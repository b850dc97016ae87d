import { kyselyAdapter } from '@better-auth/kysely-adapter'
import { betterAuth, type BetterAuthOptions } from 'better-auth'
import { APIError, createAuthMiddleware } from 'better-auth/api'
import { Kysely } from 'kysely'
import type { ApiUser } from '@afterimage/protocol/api/organization'
import type { Config } from '../config.ts'
import { AppError } from '../errors.ts'
import type { Log } from '../log.ts'
import { keepSecretKey } from './secret-key.ts'
import type { Metadata } from '../storage/metadata/port.ts'
import { SharedSqliteDialect, type SignInDatabase } from './dialect.ts'
import { AccountLimits } from './account-limits.ts'
import { boundedPasswords } from './passwords.ts'
import { withHashedSessions } from './hashed-sessions.ts'
import { isSameOrigin } from './same-origin.ts'

/** One address may try this many passwords in a window of this many seconds. */
const SIGN_IN_WINDOW_S = 60
const SIGN_IN_MAX = 10

/** Sign-in of people to the console and the API by a session cookie. */
export interface Auth {
  /** Everything under `/api/auth/`: sign in, sign out, session. Registration is closed. */
  handler(request: Request): Promise<Response>
  /** The person a request's cookie stands for; null when it has none or it has expired. */
  userOf(headers: Headers): Promise<ApiUser | null>
  /** Signs in: the answer carries the session's cookie. */
  signIn(credentials: {
    readonly email: string
    readonly password: string
    readonly headers: Headers
  }): Promise<Response>
}

/** @throws STORAGE_FAILED when the metadata store is one that sign-in cannot use */
export function createAuth(options: {
  readonly config: Pick<Config, 'baseUrl' | 'secretKey' | 'paths'>
  readonly metadata: Metadata
  /** The log of failures of sign-in; none by default. */
  readonly log?: Pick<Log, 'error'>
}): Auth {
  const { config, metadata, log } = options
  const auth = betterAuth({
    appName: 'Afterimage',
    baseURL: new URL(config.baseUrl).origin,
    basePath: '/api/auth',
    secret: keepSecretKey(config),
    database: (all: BetterAuthOptions) => {
      const kysely = new Kysely({ dialect: new SharedSqliteDialect(signInDatabase(metadata)) })
      const adapter = kyselyAdapter(kysely, { type: 'sqlite', transaction: true })
      return withHashedSessions(adapter(all))
    },
    user: { modelName: 'users' },
    session: { modelName: 'sessions' },
    account: { modelName: 'accounts' },
    verification: { modelName: 'verifications' },
    emailAndPassword: {
      enabled: true,
      disableSignUp: true,
      minPasswordLength: 8,
      password: boundedPasswords(),
    },
    hooks: accountHooks(metadata, new AccountLimits()),
    trustedOrigins: (request) => {
      const origin = request?.headers.get('origin')
      return request !== undefined && origin && isSameOrigin(request) ? [origin] : []
    },
    rateLimit: {
      enabled: true,
      storage: 'memory',
      customRules: { '/sign-in/email': { window: SIGN_IN_WINDOW_S, max: SIGN_IN_MAX } },
    },
    advanced: {
      // The schema is ours to check: migrations do.
      database: { validateSchema: false },
      useSecureCookies: config.baseUrl.startsWith('https:'),
      cookiePrefix: 'afterimage',
      // Set by the front door, which takes away what a stranger sent.
      ipAddress: { ipAddressHeaders: ['x-forwarded-for'] },
    },
    telemetry: { enabled: false },
    logger: signInLogger(log),
  })
  return {
    handler: async (request) => {
      if (isFromElsewhere(request)) {
        return Response.json(
          { detail: 'This request comes from another site.', message: 'Invalid origin' },
          { status: 403 },
        )
      }
      return auth.handler(request)
    },
    userOf: async (headers) => {
      if (!headers.has('cookie')) return null
      const found = await auth.api.getSession({ headers })
      if (found === null) return null
      return { id: found.user.id, name: found.user.name, email: found.user.email }
    },
    signIn: ({ email, password, headers }) =>
      auth.api.signInEmail({ body: { email, password }, headers, asResponse: true }),
  }
}

function signInLogger(log: Pick<Log, 'error'> | undefined): BetterAuthOptions['logger'] {
  return {
    level: 'error',
    log: (_level, message, ...details) => {
      const err = details.find((detail) => detail instanceof Error)
      log?.error(err === undefined ? {} : { err }, `sign-in: ${message}`)
    },
  }
}

/** Refuses passwords for an account that has had too many wrong ones; addresses known to it go on. */
function accountHooks(metadata: Metadata, limits: AccountLimits): BetterAuthOptions['hooks'] {
  return {
    before: createAuthMiddleware(async (context) => {
      const email = emailOf(context)
      if (email === null || !limits.isExhausted(email)) return
      const address = context.headers?.get('x-forwarded-for') ?? ''
      if (await hasSignedInFrom(metadata, email, address)) return
      throw new APIError('TOO_MANY_REQUESTS', {
        message: 'This account has had too many wrong passwords. Try again in 15 minutes.',
      })
    }),
    after: createAuthMiddleware(async (context) => {
      const email = emailOf(context)
      if (email === null) return
      const { returned } = context.context
      if (!(returned instanceof APIError)) limits.succeeded(email)
      else if (returned.statusCode === 401) limits.failed(email)
    }),
  }
}

function emailOf(context: { readonly path: string; readonly body?: unknown }): string | null {
  if (context.path !== '/sign-in/email') return null
  const { email } = (context.body ?? {}) as { readonly email?: unknown }
  return typeof email === 'string' ? email : null
}

async function hasSignedInFrom(
  metadata: Metadata,
  email: string,
  address: string,
): Promise<boolean> {
  if (address === '') return false
  const found = await metadata.all(
    `select 1 from sessions s join users u on u.id = s."userId"
     where u.email = ? and s."ipAddress" = ? limit 1`,
    email.trim().toLowerCase(),
    address,
  )
  return found.length > 0
}

/** A change that a page of another site asks for; programs send neither an origin nor a cookie. */
function isFromElsewhere(request: Request): boolean {
  if (request.method === 'GET' || request.method === 'HEAD') return false
  const { headers } = request
  const isBrowser = headers.has('origin') || headers.has('sec-fetch-site') || headers.has('cookie')
  return isBrowser && !isSameOrigin(request)
}

function signInDatabase(metadata: Metadata): SignInDatabase {
  const store = metadata as Metadata & Partial<SignInDatabase>
  if (store.database === undefined || store.exclusively === undefined) {
    throw new AppError('STORAGE_FAILED', 'sign-in needs the embedded metadata store')
  }
  return { database: store.database, exclusively: store.exclusively.bind(store) }
}
