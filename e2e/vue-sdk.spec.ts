import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import type { TransactionPayload } from '@afterimage/protocol/transaction'
import { launchBrowser } from './support/browser.ts'
import { startSdkServer, type SdkServer } from './support/sdk-server.ts'
import { bundleProject, writeProject } from './support/snippets.ts'

/** Our client with the real Vue, Vue Router and Pinia. */

let browser: Browser
let server: SdkServer
let page: Page
const logged: string[] = []

beforeAll(async () => {
  const folder = writeProject('vue-sdk', files)
  const body = await bundleProject(folder, 'main.js')
  const html = '<div id="app"></div><script src="/main.js"></script>'
  const paths = ['users/7', 'nowhere', 'old']
  server = await startSdkServer(Object.fromEntries(paths.map((path) => [path, { html }])), {
    '/main.js': { type: 'text/javascript', body },
  })
  browser = await launchBrowser()
})

afterAll(async () => {
  await browser?.close()
  await server?.close()
})

beforeEach(async () => {
  server.clear()
  logged.length = 0
  page = await browser.newPage()
  page.on('console', (message) => {
    if (message.type() === 'error') logged.push(message.text())
  })
})

afterEach(() => page.close())

const files = {
  'main.js': `
    import { afterimagePlugin, browserTracing, init, piniaPlugin } from '@afterimage/vue'
    import { createPinia } from 'pinia'
    import { createApp } from 'vue'
    import { createRouter, createWebHistory } from 'vue-router'
    import App from './app.vue'
    import User from './user.vue'

    const router = createRouter({
      history: createWebHistory(),
      routes: [
        { path: '/users/:id', component: User, children: [{ path: 'orders/:order(\\\\d+)', component: User }] },
        { path: '/members/:id', redirect: '/users/:id' },
        { path: '/old', component: User },
        { path: '/closed', component: User },
        { path: '/broken', component: () => Promise.reject(new Error('no such chunk')) },
      ],
    })
    init({
      dsn: 'https://0123456789abcdef0123456789abcdef@afterimage.example.com/1',
      integrations: [browserTracing({ router, idleTimeoutMs: 300 })],
    })
    router.beforeEach(async (to) => {
      if (to.path === '/closed') return false
      if (to.path === '/old') return '/users/8'
      if (to.path.includes('orders')) await fetch('/status/200')
    })
    createApp(App).use(afterimagePlugin).use(createPinia().use(piniaPlugin)).use(router).mount('#app')`,
  'app.vue': `<script setup>
    import { RouterLink, RouterView } from 'vue-router'
    import { useCart } from './cart.js'
    const cart = useCart()
    function pay(owner) {
      cart.add(owner)
      throw new Error('the card was declined')
    }
    </script>
    <template>
      <RouterLink to="/users/7/orders/3">order</RouterLink>
      <RouterLink to="/old">old</RouterLink>
      <RouterLink to="/closed">closed</RouterLink>
      <RouterLink to="/broken">broken</RouterLink>
      <button @click="pay('secret')">Pay</button>
      <RouterView />
    </template>`,
  'user.vue': `<script setup>
    import { RouterView } from 'vue-router'
    </script>
    <template><h1>User</h1><RouterView /></template>`,
  'cart.js': `
    import { defineStore } from 'pinia'
    export const useCart = defineStore('cart', {
      state: () => ({ lines: [] }),
      actions: { add(line) { this.lines.push(line) } },
    })`,
}

function transactions(): TransactionPayload[] {
  return server.items<TransactionPayload>('transaction')
}

/** The names of transactions so far, with their operation and source. */
function names(): string[] {
  return transactions().map(
    ({ transaction, transaction_info: info, contexts }) =>
      `${contexts.trace.op} ${transaction} ${info?.source}`,
  )
}

async function load(path: string): Promise<void> {
  await page.goto(`${server.url}${path}`)
  await expect.poll(names, { timeout: 15_000 }).toHaveLength(1)
}

test('page loads and navigations have the names of their routes, and hold the work of guards', async () => {
  await load('/users/7')
  await page.click('text=order')
  await expect
    .poll(names, { timeout: 15_000 })
    .toEqual(['pageload /users/:id route', 'navigation /users/:id/orders/:order route'])
  const [, order] = transactions()
  expect(order?.request?.url).toBe(`${server.url}/users/7/orders/3`)
  expect(order?.spans).toContainEqual(
    expect.objectContaining({ op: 'http.client', description: 'GET /status/200' }),
  )
})

test('a navigation that a guard redirects is one, named by where it ends', async () => {
  await load('/users/7')
  await page.click('text=old')
  await expect.poll(names, { timeout: 15_000 }).toHaveLength(2)
  expect(names()[1]).toBe('navigation /users/:id route')
})

test('a page load that is redirected has the name of the route that is shown', async () => {
  await load('/old')
  expect(names()).toEqual(['pageload /users/:id route'])
})

test('an address without a route keeps its path', async () => {
  await load('/nowhere')
  expect(names()).toEqual(['pageload /nowhere url'])
})

test('an error of a component has its name, its hook, its route and the actions before it', async () => {
  await load('/users/7')
  await page.click('button')
  await expect.poll(() => server.items('event')).toHaveLength(1)
  const [event] = server.items('event')
  expect(event).toMatchObject({
    transaction: '/users/:id',
    exception: { values: [{ mechanism: { type: 'vue.error_handler', handled: false } }] },
    contexts: { vue: { componentName: 'app', lifecycleHook: 'native event handler' } },
  })
  expect(event?.['breadcrumbs']).toContainEqual(
    expect.objectContaining({ category: 'pinia.action', message: 'cart.add' }),
  )
  expect(JSON.stringify(event)).not.toContain('secret')
  expect(logged.join()).toContain('the card was declined')
})

test('a chunk that does not load is reported and logged, once', async () => {
  await load('/users/7')
  await page.click('text=broken')
  await expect.poll(() => server.items('event')).toHaveLength(1)
  expect(server.items('event')).toMatchObject([
    { exception: { values: [{ value: 'no such chunk', mechanism: { type: 'vue.router' } }] } },
  ])
  await expect.poll(() => logged.join()).toContain('no such chunk')
})

test('after a blocked navigation errors belong to the page that is still shown', async () => {
  await load('/users/7')
  await page.click('text=closed')
  await expect.poll(names, { timeout: 15_000 }).toHaveLength(2)
  await page.click('button')
  await expect.poll(() => server.items('event')).toHaveLength(1)
  expect(server.items('event')).toMatchObject([{ transaction: '/users/:id' }])
})
