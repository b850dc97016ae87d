import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { sdk } from '@afterimage/sdk-core/version'
import { FRAMEWORKS, frameworkOf } from './frameworks.ts'
import { moveStep } from './sentry-steps.ts'
import { codeText, type SetupStep } from './setup-step.ts'

const address = {
  dsn: 'https://8f3ad0c1@errors.example/2',
  tunnel: '/monitoring?o=1&p=2',
  origin: 'https://errors.example',
}

const text = (steps: readonly SetupStep[] | undefined): string =>
  (steps ?? [])
    .flatMap((step) => step.snippets)
    .map(({ code }) => codeText(code))
    .join('\n')

const textOf = (id: string, client: 'own' | 'sentry', tunnel = address.tunnel): string =>
  text(FRAMEWORKS.find((one) => one.id === id)?.[client]?.({ ...address, tunnel }))

const inBrowsers = ['nextjs', 'react', 'vue', 'svelte', 'browser']

test('every framework has the address filled in, with either client', () => {
  for (const { id, own } of FRAMEWORKS) {
    expect(textOf(id, 'sentry')).toContain(address.dsn)
    if (own !== null) expect(textOf(id, 'own')).toContain(address.dsn)
  }
})

test('an application with Sentry’s SDK is told how to move, with the address of this server', () => {
  expect(text([moveStep(address)])).toMatch(/migrate-sdk .* --server https:\/\/errors\.example$/)
})

test('everything that runs in a browser is offered with our own client', () => {
  expect(FRAMEWORKS.flatMap(({ id, own }) => (own === null ? [] : [id]))).toEqual(inBrowsers)
})

test('both clients report through the tunnel', () => {
  for (const id of inBrowsers) {
    expect(textOf(id, 'own')).toMatch(/tunnelPath: '\/monitoring'/)
    expect(textOf(id, 'sentry')).toContain("tunnel: '/monitoring?o=1&p=2'")
  }
  expect(textOf('sentry', 'sentry')).toContain("tunnel: '/monitoring?o=1&p=2'")
})

test('a tunnel elsewhere is named everywhere', () => {
  const elsewhere = '/t/errors?o=1&p=2'
  for (const { id } of FRAMEWORKS) {
    for (const client of ['own', 'sentry'] as const) {
      expect(textOf(id, client, elsewhere)).not.toContain('monitoring')
    }
  }
  expect(textOf('nextjs', 'sentry', elsewhere)).toContain(
    "source: '/t/errors', destination: 'https://errors.example/t/errors'",
  )
  expect(textOf('nextjs', 'own', elsewhere)).toContain('// app/t/errors/route.ts')
})

test('the script tag is the one that this server offers', () => {
  expect(textOf('browser', 'own')).toContain(
    `<script src="https://errors.example/sdk/${sdk.version}/afterimage.js"`,
  )
})

test('servers need no tunnel', () => {
  expect(textOf('node', 'sentry')).not.toContain('tunnel')
  expect(textOf('python', 'sentry')).not.toContain('tunnel')
})

test('the tab is that of the platform', () => {
  expect(['javascript-react', 'javascript', 'python-django', null].map(frameworkOf)).toEqual([
    'react',
    'browser',
    'python',
    'nextjs',
  ])
})

test('the packages are installed from this server, in one command', () => {
  const [install] = FRAMEWORKS.find((one) => one.id === 'nextjs')?.own?.(address) ?? []
  const printed = execFileSync('bash', [
    '-ec',
    `npm() { printf '%s\\n' "$@"; }\n${text(install && [install])}`,
  ])
  expect(printed.toString().trimEnd().split('\n')).toEqual([
    'install',
    ...['browser', 'replay', 'next'].map(
      (name) => `${address.origin}/npm/afterimage-${name}-${sdk.version}.tgz`,
    ),
  ])
})

test('the copied text is the code without marks', () => {
  expect(codeText(['a ', { mark: 'b' }, { quiet: ' // c' }])).toBe('a b // c')
})
