import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { close, flush, start } from '@afterimage/sdk-core/api'
import { dsn, fakeNetwork } from '@afterimage/sdk-core/testing/fake-network'
import type { FakeNetwork } from '@afterimage/sdk-core/testing/fake-network'
import type { Component } from './component-name.ts'
import { afterimagePlugin } from './plugin.ts'

let network: FakeNetwork

beforeEach(() => {
  network = fakeNetwork()
  start({ dsn }, [])
})

afterEach(async () => {
  await close(0)
  vi.unstubAllGlobals()
})

/** An application as Vue passes it to a plugin. */
interface App {
  readonly config: {
    errorHandler?: (error: unknown, instance: Component | null, info: string) => void
  }
}

function component(options: Component['$options'], props: object = {}): Component {
  return { $options: options, $root: null, $props: props }
}

async function contextSent(): Promise<unknown> {
  await flush()
  return network.events()[0]?.contexts?.['vue']
}

test('without a handler of the application the error goes back to Vue, which logs it', async () => {
  const app: App = { config: {} }
  afterimagePlugin.install(app)
  const error = new Error('failed')
  expect(() =>
    app.config.errorHandler?.(error, component({ name: 'Cart' }), 'setup function'),
  ).toThrow(error)
  await flush()
  expect(network.events()).toMatchObject([
    {
      exception: {
        values: [{ value: 'failed', mechanism: { type: 'vue.error_handler', handled: false } }],
      },
      contexts: { vue: { componentName: 'Cart', lifecycleHook: 'setup function' } },
    },
  ])
})

test('the application’s own handler is called with the same arguments, and keeps the error', async () => {
  const own = vi.fn()
  const app: App = { config: { errorHandler: own } }
  afterimagePlugin.install(app)
  const given = [new Error('failed'), null, 'watcher callback'] as const
  app.config.errorHandler?.(...given)
  expect(own.mock.calls).toEqual([given])
  await flush()
  expect(network.events()).toMatchObject([
    { exception: { values: [{ mechanism: { handled: true } }] } },
  ])
})

test('props are sent only where they were asked for', async () => {
  const app: App = { config: { errorHandler: () => {} } }
  const failed = component({ name: 'Cart' }, { owner: 'bob' })
  afterimagePlugin.install(app)
  app.config.errorHandler?.(new Error('failed'), failed, 'setup function')
  await flush()
  expect(JSON.stringify(network.events())).not.toContain('bob')

  const asked: App = { config: { errorHandler: () => {} } }
  afterimagePlugin.install(asked, { attachProps: true })
  asked.config.errorHandler?.(new Error('failed again'), failed, 'setup function')
  await flush()
  expect(network.events()[1]?.contexts?.['vue']).toMatchObject({ propsData: { owner: 'bob' } })
})

test.each([
  [{ name: 'Cart', __name: 'cart-view' }, 'Cart'],
  [{ __name: 'cart-view' }, 'cart-view'],
  [{ __file: '/home/bob/src/cart-view.vue' }, 'cart-view'],
  [{ __file: 'C:\\src\\cart.page.vue' }, 'cart.page'],
  [{}, 'Anonymous'],
])('a component with %j is called %s', async (options, name) => {
  const app: App = { config: { errorHandler: () => {} } }
  afterimagePlugin.install(app)
  app.config.errorHandler?.(new Error('failed'), component(options), '')
  expect(await contextSent()).toMatchObject({ componentName: name })
})

test('the outermost component without a name is called Root', async () => {
  const app: App = { config: { errorHandler: () => {} } }
  afterimagePlugin.install(app)
  const root = { $options: {}, $props: {} } as { -readonly [K in keyof Component]: Component[K] }
  root.$root = root
  app.config.errorHandler?.(new Error('failed'), root, '')
  expect(await contextSent()).toMatchObject({ componentName: 'Root' })
})

test.each([
  ['https://vuejs.org/error-reference/#runtime-m', 'mounted hook'],
  ['https://vuejs.org/error-reference/#runtime-16', 'app unmount cleanup function'],
  [
    'https://vuejs.org/error-reference/#runtime-99',
    'https://vuejs.org/error-reference/#runtime-99',
  ],
  ['mounted hook', 'mounted hook'],
])('the place %s is told as %s', async (info, told) => {
  const app: App = { config: { errorHandler: () => {} } }
  afterimagePlugin.install(app)
  app.config.errorHandler?.(new Error('failed'), null, info)
  expect(await contextSent()).toEqual({ lifecycleHook: told })
})
