import { randomBytes } from 'node:crypto'
import { hashPassword, verifyPassword } from 'better-auth/crypto'
import { AppError } from '../errors.ts'
import type { Metadata, MetadataReader } from '../storage/metadata/port.ts'
import { hashToken } from './tokens.ts'

/** A link left in a log or a chat must not open the server weeks later. */
const LINK_LIFETIME_MS = 7 * 24 * 3_600_000

const PASSWORD_CHARACTERS_MIN = 8
const PASSWORD_CHARACTERS_MAX = 128

export interface NewOwner {
  readonly name: string
  readonly email: string
  readonly password: string
}

/** Tells whether an account exists. Until then the server shows the set-up link. */
export async function hasUsers(metadata: Metadata): Promise<boolean> {
  return (await metadata.all('select 1 from users limit 1')).length > 0
}

/**
 * Makes a one-time secret that creates the owner account, and forgets those made before: only the
 * newest link works. The link is `<base URL>/setup?token=<secret>`; only the hash is kept.
 */
export async function createOwnerLink(metadata: Metadata): Promise<string> {
  const secret = randomBytes(32).toString('hex')
  await metadata.transaction(async (tx) => {
    await tx.all('delete from setup_links where used_at is null')
    await tx.all(
      'insert into setup_links (token_hash, created_at) values (?, ?)',
      hashToken(secret),
      Date.now(),
    )
  })
  return secret
}

/**
 * Spends a set-up link: makes the account, or says which field is wrong and leaves the link as it was.
 * @throws INPUT_INVALID for a link that is unknown, spent or too old, or a field that is wrong
 */
export async function createOwnerByLink(
  metadata: Metadata,
  secret: string,
  owner: NewOwner,
): Promise<void> {
  checkOwner(owner)
  const hash = hashToken(secret)
  const usable = 'token_hash = ? and used_at is null and created_at > ?'
  const [link] = await metadata.all(
    `select 1 from setup_links where ${usable}`,
    hash,
    Date.now() - LINK_LIFETIME_MS,
  )
  // Hashing a password is costly on purpose: not for strangers who guess.
  if (link === undefined) throw unusableLink()
  const password = await hashPassword(owner.password)
  await metadata.transaction(async (tx) => {
    const spent = await tx.all(
      `update setup_links set used_at = ? where ${usable} returning token_hash`,
      Date.now(),
      hash,
      Date.now() - LINK_LIFETIME_MS,
    )
    if (spent.length === 0) throw unusableLink()
    await insertUser(tx, { ...owner, password })
  })
}

/**
 * Makes the owner of the settings when there is nobody yet. Returns whether it was made.
 * @throws INPUT_INVALID when the address or the password is not one that an account can have
 */
export async function seedOwner(
  metadata: Metadata,
  owner: { readonly email: string; readonly password: string },
): Promise<boolean> {
  if (await hasUsers(metadata)) return false
  const named = { ...owner, name: owner.email.split('@')[0] ?? 'Owner' }
  checkOwner(named)
  const password = await hashPassword(owner.password)
  return metadata.transaction(async (tx) => {
    if ((await tx.all('select 1 from users limit 1')).length > 0) return false
    await insertUser(tx, { ...named, password })
    return true
  })
}

/** Names the password that the settings have set, as its hash. */
const PASSWORD_OF_SETTINGS = 'owner_password'

/**
 * Makes the owner of the settings, or sets the password anew when the settings have another one than
 * at the start before: so an owner who has lost it gets in again. A password changed in the console stays
 * as long as the settings do not change.
 */
export async function applyOwnerOfSettings(
  metadata: Metadata,
  owner: { readonly email: string; readonly password: string },
): Promise<'made' | 'changed' | 'unchanged'> {
  const isMade = await seedOwner(metadata, owner)
  const [applied] = await metadata.all<{ value: string }>(
    'select value from applied_settings where name = ?',
    PASSWORD_OF_SETTINGS,
  )
  const settings = { hash: applied?.value ?? '', password: owner.password }
  if (applied !== undefined && (await verifyPassword(settings))) return 'unchanged'
  const isChanged = applied !== undefined && !isMade
  if (isChanged) await setPassword(metadata, owner.email, owner.password)
  await metadata.all(
    `insert into applied_settings (name, value) values (?, ?)
     on conflict (name) do update set value = excluded.value`,
    PASSWORD_OF_SETTINGS,
    await hashPassword(owner.password),
  )
  if (isMade) return 'made'
  return isChanged ? 'changed' : 'unchanged'
}

/**
 * Gives an account a new password and ends its sessions.
 * @throws INPUT_INVALID when there is no such account, or the password is too short or too long
 */
export async function setPassword(
  metadata: Metadata,
  email: string,
  password: string,
): Promise<void> {
  checkPassword(password)
  const hash = await hashPassword(password)
  await metadata.transaction(async (tx) => {
    const [user] = await tx.all<{ id: string }>(
      'select id from users where email = ?',
      email.trim().toLowerCase(),
    )
    if (user === undefined) {
      throw invalid(`email: there is no account of ${email.slice(0, 100)}`)
    }
    await tx.all(
      `update accounts set "password" = ?, "updatedAt" = ?
       where "userId" = ? and "providerId" = 'credential'`,
      hash,
      new Date().toISOString(),
      user.id,
    )
    await tx.all('delete from sessions where "userId" = ?', user.id)
  })
}

function checkOwner(owner: NewOwner): void {
  const name = owner.name.trim()
  if (name === '' || name.length > 200) throw invalid('name: must have 1 to 200 characters')
  if (owner.email.length > 320 || !/^[^\s@]+@[^\s@]+$/.test(owner.email)) {
    throw invalid(`email: "${owner.email.slice(0, 100)}" is not an email address`)
  }
  checkPassword(owner.password)
}

function checkPassword(password: string): void {
  const characters = password.length
  if (characters < PASSWORD_CHARACTERS_MIN || characters > PASSWORD_CHARACTERS_MAX) {
    throw invalid(
      `password: must have ${PASSWORD_CHARACTERS_MIN} to ${PASSWORD_CHARACTERS_MAX} characters`,
    )
  }
}

/** In the shape better-auth reads: an account of the provider `credential`. */
async function insertUser(tx: MetadataReader, user: NewOwner): Promise<void> {
  const id = randomBytes(16).toString('hex')
  const now = new Date().toISOString()
  const email = user.email.toLowerCase()
  if ((await tx.all('select 1 from users where email = ?', email)).length > 0) {
    throw invalid(`email: ${email} has an account already`)
  }
  await tx.all(
    `insert into users ("id", "name", "email", "emailVerified", "createdAt", "updatedAt")
     values (?, ?, ?, 1, ?, ?)`,
    id,
    user.name.trim(),
    email,
    now,
    now,
  )
  await tx.all(
    `insert into accounts ("id", "accountId", "providerId", "userId", "password", "createdAt", "updatedAt")
     values (?, ?, 'credential', ?, ?, ?, ?)`,
    randomBytes(16).toString('hex'),
    id,
    id,
    user.password,
    now,
    now,
  )
}

function unusableLink(): AppError {
  return invalid('token: this set-up link is unknown, was used, or is older than seven days')
}

function invalid(message: string): AppError {
  return new AppError('INPUT_INVALID', message)
}
