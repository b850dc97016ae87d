import { betterAuth } from 'better-auth'
import type { ApiUser } from '@afterimage/protocol/api/organization'
import type { Config } from '../config.ts'
import { AppError } from '../errors.ts'
import { keepSecretKey } from '../secret-key.ts'
import type { Metadata } from '../storage/metadata/port.ts'
import { SharedSqliteDialect, type SignInDatabase } from './auth-dialect.ts'
import { isSameOrigin } from './same-origin.ts'

/** One address may try this many passwords in a window of this many seconds. */
const SIGN_IN_WINDOW_S = 60
const SIGN_IN_MAX = 10

/** Who may use the console and the API by a session cookie. */
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
}): Auth {
  const { config, metadata } = options
  const auth = betterAuth({
    appName: 'Afterimage',
    baseURL: new URL(config.baseUrl).origin,
    basePath: '/api/auth',
    secret: keepSecretKey(config),
    database: {
      dialect: new SharedSqliteDialect(signInDatabase(metadata)),
      type: 'sqlite',
      transaction: true,
    },
    user: { modelName: 'users' },
    session: { modelName: 'sessions' },
    account: { modelName: 'accounts' },
    verification: { modelName: 'verifications' },
    emailAndPassword: { enabled: true, disableSignUp: true, minPasswordLength: 8 },
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
    logger: { level: 'error' },
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
