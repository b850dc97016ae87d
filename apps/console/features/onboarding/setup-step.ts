/** Addresses that a client reports to. */
export interface Address {
  readonly dsn: string
  /** `/monitoring?o=1&p=2` */
  readonly tunnel: string
  /** Origin of this server, without a slash at the end. */
  readonly origin: string
}

/** A piece of a code block; `mark` is a value filled in for this project. */
export type CodePart = string | { readonly mark: string } | { readonly quiet: string }

/** A code block to be copied, and the file's name where it is a whole file. */
export interface Snippet {
  readonly file?: string
  readonly code: readonly CodePart[]
}

export interface SetupStep {
  readonly title: string
  readonly note?: string
  readonly snippets: readonly Snippet[]
}

export const OWN_DOMAIN =
  'The tunnel keeps reports on your own domain, so that ad-blockers do not drop them.'

/** A step of one block. */
export function step(title: string, code: readonly CodePart[], note?: string): SetupStep {
  return { title, snippets: [{ code }], ...(note !== undefined && { note }) }
}

/** A whole file; its name is the first line, as a comment that is copied with it. */
export function fileOf(name: string, code: readonly CodePart[]): Snippet {
  const comment = /\.(html|svelte)$/.test(name)
    ? `<!-- ${name} -->`
    : `${name.startsWith('.') ? '#' : '//'} ${name}`
  return { file: name, code: [quiet(comment), ...code] }
}

export function quiet(line: string): CodePart {
  return { quiet: `${line}\n` }
}

/** `/monitoring` of `/monitoring?o=1&p=2`. */
export function tunnelPath(address: Address): string {
  return address.tunnel.replace(/\?.*$/, '')
}

/** Returns the step that makes the site's own web server proxy the tunnel's path to this server. */
export function proxyStep(address: Address): SetupStep {
  return step(
    'Send reports through your own domain',
    [
      'location = ',
      { mark: tunnelPath(address) },
      ' {\n  proxy_pass ',
      { mark: `${address.origin}${tunnelPath(address)}` },
      // One server name may cover many hosts, and a recording is larger than nginx's 1 MB.
      ';\n  proxy_ssl_server_name on;\n  client_max_body_size 20m;\n}',
    ],
    'In your site’s web server, pass the tunnel’s path on to this server. For nginx:',
  )
}

/** A code block as it is copied. */
export function codeText(code: readonly CodePart[]): string {
  return code
    .map((part) => (typeof part === 'string' ? part : 'mark' in part ? part.mark : part.quiet))
    .join('')
}
