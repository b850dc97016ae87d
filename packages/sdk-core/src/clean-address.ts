import { addressCharactersMax } from './limits.ts'
import { head } from './normalize.ts'

/**
 * Patterns of secrets in the page's addresses. They are kept here, where no caller can forget them.
 */
let secrets: readonly RegExp[] = []

/** Sets the parts of addresses that are secrets; the client does so from its options. */
export function setSecretPaths(patterns: readonly RegExp[] = []): void {
  secrets = patterns
}

/** Returns a path or an address with `*` in place of its secrets. */
export function maskPath(path: string): string {
  return secrets.reduce((text, secret) => text.replace(secret, '*'), path)
}

/**
 * Returns an address as it may be sent: without user, password and fragment, with only the names of
 * its query, and with secrets masked. A query member without `=` counts as a value. Values of the
 * parameters in `keep` stay. Addresses that name no place (`data:`, `mailto:`) keep only their
 * scheme; Node modules and Windows drives do name places.
 */
export function cleanAddress(address: string, keep: readonly string[] = []): string {
  return maskPath(head(address, addressCharactersMax))
    .replace(/^(?!node:)([\w+.-]{2,}:)(?!\/\/).*|#.*/s, '$1')
    .replace(/^([\w+.-]*:?\/\/)[^/?]*@/, '$1')
    .replace(/[?&]([^?&=]*=)?[^&]*/g, (member, name = '') =>
      keep.includes(name.slice(0, -1)) ? member : `${member[0]}${name}*`,
    )
}
