/**
 * A count of proxies, each of which appends to `X-Forwarded-For` whom it heard from; `true` is one
 * proxy, 0 none, so that the connection itself is the client's. `false`: no header is believed.
 */
export type TrustProxy = boolean | number

/**
 * The client's address, plain; null when no header is believed or none has an address. Only the end of
 * the list was written by the proxies that are counted: a client can forge the part before it.
 */
export function clientAddress(
  headers: Headers,
  connection: string | undefined,
  trust: TrustProxy,
): string | null {
  if (trust === false) return null
  const proxies = trust === true ? 1 : trust
  if (proxies === 0) return plainAddress(connection ?? '')
  const list = (headers.get('x-forwarded-for') ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
  return plainAddress(list[Math.max(0, list.length - proxies)] ?? '')
}

/** Takes `1.2.3.4`, `1.2.3.4:567`, `::1`, `[::1]:567`, `::ffff:1.2.3.4`. */
function plainAddress(text: string): string | null {
  const bare = /^\[(.*)\](?::\d+)?$/.exec(text)?.[1] ?? /^([\d.]+):\d+$/.exec(text)?.[1] ?? text
  const plain = bare.replace(/^::ffff:(?=\d+\.)/i, '')
  const isAddress =
    /^\d{1,3}(\.\d{1,3}){3}$/.test(plain) || /^[\da-f]*:[\da-f:.]{1,43}$/i.test(plain)
  return isAddress ? plain.toLowerCase() : null
}
