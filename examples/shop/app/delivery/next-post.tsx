'use client'

/**
 * Bug: a hydration mismatch. The server does not know where the visitor is and writes one thing, the
 * browser knows and writes another.
 */
export function NextPost() {
  const place =
    typeof window === 'undefined'
      ? 'your town'
      : new Intl.DateTimeFormat().resolvedOptions().timeZone
  return (
    <div className="panel">
      <h2>The next post</h2>
      <p>
        Parcels for <strong>{place}</strong> leave with the next one.
      </p>
    </div>
  )
}
