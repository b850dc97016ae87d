/**
 * The address and key that an SDK sends with:
 * `{scheme}://{key}[:{secret}]@{host}[:port]{/path}/{project}`.
 */
export interface Dsn {
  readonly scheme: 'http' | 'https'
  /** Lower case. */
  readonly publicKey: string
  /** Host name and, where it was given, port. */
  readonly host: string
  /** Begins with a slash and does not end in one; empty at the root of the host. */
  readonly path: string
  /** A positive integer. */
  readonly projectId: number
}

/**
 * Reads a DSN; null when the text is not a valid one. The project and the key need not exist: a server
 * compares them with its own. The secret that DSNs had before 2018 proves nothing and is left behind.
 */
export function parseDsn(text: string): Dsn | null {
  const match =
    /^(https?):\/\/([\w-]{1,64})(?::[^@/]*)?@([\w.:[\]-]+)((?:\/[\w.~%-]+)*)\/([1-9]\d{0,14})$/.exec(
      text,
    )
  return (
    match && {
      scheme: match[1] as 'http',
      publicKey: match[2]!.toLowerCase(),
      host: match[3]!,
      path: match[4]!,
      projectId: Number(match[5]),
    }
  )
}

/** The DSN as people copy it, without its secret. */
export function formatDsn({ scheme, publicKey, host, path, projectId }: Dsn): string {
  return `${scheme}://${publicKey}@${host}${path}/${projectId}`
}

/** Tells the sender, or the owner of the configuration, what a valid DSN looks like. */
export const dsnExpected = 'expected a DSN such as https://<public key>@<host>/<project number>'
