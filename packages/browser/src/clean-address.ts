import { addressCharactersMax } from './limits.ts'

/**
 * An address as it may be sent: of its query only the names, of its fragment nothing, no password,
 * and of `data:` and the like only the scheme. Values of the parameters named in `keep` stay.
 */
export function cleanAddress(address: string, keep: readonly string[] = []): string {
  const text = address.slice(0, addressCharactersMax)
  if (/^(data|javascript):/i.test(text)) return text.slice(0, text.indexOf(':') + 1)
  const hash = text.indexOf('#')
  const [base = '', ...rest] = (hash < 0 ? text : text.slice(0, hash)).split('?')
  const start = base.replace(/^(\w[\w+.-]*:\/\/)[^/@]*@/, '$1')
  const query = rest.join('?')
  if (query === '') return start
  return `${start}?${query
    .split('&')
    .map((member) => {
      const [name = ''] = member.split('=', 1)
      return name === member || keep.includes(name) ? member : `${name}=*`
    })
    .join('&')}`
}
