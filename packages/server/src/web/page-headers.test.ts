import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { builtScriptsOf, createPageHeaders, scriptHashes } from './page-headers.ts'

const builtScripts = ["'sha256-x'"]
const headersOf = createPageHeaders({
  baseUrl: 'https://monitoring.shop.test/ignored',
  builtScripts,
})
const policyOf = (path: string) => headersOf(path).headers['content-security-policy']

test('a page loads and talks to its own server only, by whichever name it is open', () => {
  const policy = policyOf('/issues')
  expect(policy).toContain("default-src 'self'")
  expect(policy).toContain("connect-src 'self' https://monitoring.shop.test;")
  expect(policy).not.toMatch(/\*|unsafe-eval/)
})

test('scripts are the server’s files, those with the page’s own nonce, and those of the build', () => {
  const first = headersOf('/issues')
  const policy = first.headers['content-security-policy']
  expect(policy).toContain(`script-src 'self' 'nonce-${first.nonce}' 'sha256-x';`)
  expect(/script-src[^;]*/.exec(policy ?? '')?.[0]).not.toContain('unsafe-inline')
  expect(Buffer.from(first.nonce, 'base64')).toHaveLength(16)
  expect(headersOf('/issues').nonce).not.toBe(first.nonce)
})

test('nobody else puts a page into a frame, but the address that is made for it', () => {
  expect(policyOf('/issues')).toContain("frame-ancestors 'self'")
  expect(policyOf('/share/replay/abc')).toContain('frame-ancestors')
  expect(policyOf('/embed/replay/abc')).not.toContain('frame-ancestors')
})

test('no other site learns which page a link was followed from', () => {
  expect(headersOf('/share/issue/abc').headers).toMatchObject({
    'referrer-policy': 'same-origin',
    'x-content-type-options': 'nosniff',
  })
})

test('inline scripts are found by their text; data and external scripts are not', () => {
  const html =
    '<script>alert(1)</script><script src="/a.js" defer=""></script>' +
    '<script id="x" type="application/json">{}</script><script type="module" async="" nonce="n">\n two()</script>'
  // From `printf 'alert(1)' | openssl dgst -sha256 -binary | base64`, and so on.
  expect(scriptHashes(html)).toEqual([
    "'sha256-bhHHL3z2vDgxUt0W3dWQOrprscmda2Y5pLsLg4GF+pI='",
    "'sha256-jhVWP8EEKGOTIeksGnJYxa0XN+gCVSxEiz8QDywqOPg='",
  ])
})

test('every page of a build counts, each script once', () => {
  const folder = mkdtempSync(join(tmpdir(), 'afterimage-build-'))
  try {
    mkdirSync(join(folder, 'server/pages/errors'), { recursive: true })
    writeFileSync(join(folder, 'server/pages/404.html'), '<script>alert(1)</script>')
    writeFileSync(join(folder, 'server/pages/errors/[code].html'), '<script>alert(1)</script>')
    writeFileSync(join(folder, 'server/pages/a.js'), '<script>alert(2)</script>')
    expect(builtScriptsOf(folder)).toEqual(scriptHashes('<script>alert(1)</script>'))
  } finally {
    rmSync(folder, { recursive: true })
  }
})
