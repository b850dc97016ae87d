import { expect, test } from 'vitest'
import { codeText, FRAMEWORKS } from './snippets.ts'

const address = {
  dsn: 'https://8f3ad0c1@errors.example/2',
  tunnel: '/monitoring?o=1&p=2',
  origin: 'https://errors.example',
}

const textOf = (id: string) =>
  (FRAMEWORKS.find((one) => one.id === id)?.steps(address) ?? [])
    .map((step) => codeText(step.code))
    .join('\n')

test('every framework has the address filled in', () => {
  for (const framework of FRAMEWORKS) expect(textOf(framework.id)).toContain(address.dsn)
})

test('browser frameworks have the tunnel line', () => {
  for (const id of ['nextjs', 'react', 'vue', 'svelte', 'browser', 'sentry']) {
    expect(textOf(id)).toContain("tunnel: '/monitoring?o=1&p=2'")
  }
})

test('a tunnel elsewhere is named everywhere', () => {
  for (const framework of FRAMEWORKS) {
    const steps = framework.steps({ ...address, tunnel: '/t/errors?o=1&p=2' })
    const text = steps.map((step) => codeText(step.code)).join('\n')
    expect(text).not.toContain('monitoring')
  }
  const next = FRAMEWORKS[0]?.steps({ ...address, tunnel: '/t/errors?o=1&p=2' }) ?? []
  expect(codeText(next[2]?.code ?? [])).toContain(
    "source: '/t/errors', destination: 'https://errors.example/t/errors'",
  )
})

test('servers need no tunnel', () => {
  expect(textOf('node')).not.toContain('tunnel')
  expect(textOf('python')).not.toContain('tunnel')
})

test('what is copied is the code without marks', () => {
  expect(codeText(['a ', { mark: 'b' }, { quiet: ' // c' }])).toBe('a b // c')
})
