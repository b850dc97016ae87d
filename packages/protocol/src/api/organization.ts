/**
 * Answers of the API about organisations, projects, keys and tokens, in the shapes of Sentry's web
 * API.
 */

export interface ApiError {
  readonly detail: string
}

export interface ApiOrganization {
  readonly id: string
  readonly slug: string
  readonly name: string
  readonly dateCreated: string
  readonly status: { readonly id: string; readonly name: string }
  readonly features: readonly string[]
  readonly isEarlyAdopter: boolean
  readonly require2FA: boolean
  readonly requireEmailVerification: boolean
  readonly links: { readonly organizationUrl: string; readonly regionUrl: string }
}

/** `GET /api/0/organizations/main/projects/`, `GET /api/0/projects/main/{slug}/` */
export interface ApiProject {
  readonly id: string
  readonly slug: string
  readonly name: string
  readonly platform: string | null
  readonly dateCreated: string
  /** Null until the first event arrives: onboarding waits for it. */
  readonly firstEvent: string | null
  readonly hasReplays: boolean
  readonly hasTraces: boolean
}

/** `GET|POST /api/0/projects/main/{slug}/keys/` */
export interface ApiProjectKey {
  readonly id: string
  /** The label, as other tools call it. */
  readonly name: string
  readonly label: string
  readonly public: string
  readonly isActive: boolean
  readonly dateCreated: string
  readonly dsn: {
    readonly public: string
    /** Path and query of this server's tunnel for the project, for an SDK's option `tunnel`. */
    readonly tunnel: string
  }
}

/** `GET /api/0/organizations/main/environments/` */
export interface ApiEnvironment {
  readonly id: string
  readonly name: string
}

/** `GET /api/0/users/me/`: the signed-in user. */
export interface ApiUser {
  readonly id: string
  readonly name: string
  readonly email: string
}

/** A link that shows one issue or one replay without signing in, until it is revoked. */
export interface ApiShare {
  readonly id: string
  readonly url: string
  readonly dateCreated: string
}
