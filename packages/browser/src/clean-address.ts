import { addressCharactersMax } from './limits.ts'

/**
 * An address as it may be sent: of its query only the names (a member without a `=` is a value), of its fragment nothing, no password,
 * and of `data:` and the like only the scheme. Values of the parameters named in `keep` stay.
 */
export function cleanAddress(address: string, keep: readonly string[] = []): string {
  return address
    .slice(0, addressCharactersMax)
    .replace(/#.*/s, '')
    .replace(/^(data|javascript):.*/is, '$1:')
    .replace(/^([\w+.-]+:\/\/)[^/?@]*@/, '$1')
    .replace(/[?&]([^?&=]*=)?[^&]*/g, (member, name = '') =>
      keep.includes(name.slice(0, -1)) ? member : `${member[0]}${name}*`,
    )
}
