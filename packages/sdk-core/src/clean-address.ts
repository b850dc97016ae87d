import { addressCharactersMax } from './limits.ts'
import { head } from './normalize.ts'

/**
 * Secrets in the addresses of the page. They are kept here, for every caller, so that none can forget
 * them.
 */
let secrets: readonly RegExp[] = []

/** Sets which parts of addresses are secrets; the client does so from its options. */
export function setSecretPaths(patterns: readonly RegExp[] = []): void {
  secrets = patterns
}

/** Returns a path, or an address, with `*` in place of its secrets. */
export function maskPath(path: string): string {
  return secrets.reduce((text, secret) => text.replace(secret, '*'), path)
}

/**
 * Returns an address as it may be sent: without user, password and fragment, with only the names of
 * its query (a member without a `=` is a value) and its secrets masked. Addresses that name no place
 * (`data:`, `mailto:`) keep only their scheme; modules of Node and drives of Windows name places.
 * Values of the parameters named in `keep` stay.
 */
export function cleanAddress(address: string, keep: readonly string[] = []): string {
  return maskPath(head(address, addressCharactersMax))
    .replace(/^(?!node:)([\w+.-]{2,}:)(?!\/\/).*|#.*/s, '$1')
    .replace(/^([\w+.-]*:?\/\/)[^/?]*@/, '$1')
    .replace(/[?&]([^?&=]*=)?[^&]*/g, (member, name = '') =>
      keep.includes(name.slice(0, -1)) ? member : `${member[0]}${name}*`,
    )
}
