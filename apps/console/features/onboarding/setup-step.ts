/** What a client needs to be told: where to report. */
export interface Address {
  readonly dsn: string
  /** `/monitoring?o=1&p=2` */
  readonly tunnel: string
  /** Origin of this server, without a slash at the end. */
  readonly origin: string
}

/** A piece of a code block; `mark` is what was filled in for this project. */
export type CodePart = string | { readonly mark: string } | { readonly quiet: string }

/** A code block to be copied, and the file it is, where it is a whole one. */
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

/** How the site's own web server hands the tunnel's path on to this one. */
export function proxyStep(address: Address): SetupStep {
  return step(
    'Let your own domain carry it',
    [
      'location = ',
      { mark: tunnelPath(address) },
      ' {\n  proxy_pass ',
      { mark: `${address.origin}${tunnelPath(address)}` },
      // One server name may stand for many hosts, and a recording is larger than nginx's 1 MB.
      ';\n  proxy_ssl_server_name on;\n  client_max_body_size 20m;\n}',
    ],
    'Where your site is served, pass the tunnel’s path on to this server. nginx:',
  )
}

/** A code block as it is copied. */
export function codeText(code: readonly CodePart[]): string {
  return code
    .map((part) => (typeof part === 'string' ? part : 'mark' in part ? part.mark : part.quiet))
    .join('')
}
