import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { launchBrowser } from './support/browser.ts'
import { startProduct, type Product } from './support/product.ts'

/** The first hour: a server nobody has told anything, until its first real event. */

let product: Product
let browser: Browser
let context: BrowserContext
let page: Page
let link: string

const account = {
  name: 'Ada Lovelace',
  email: 'ada@example.test',
  password: 'a long enough password',
}

beforeAll(async () => {
  product = await startProduct({
    environment: { AFTERIMAGE_OWNER_EMAIL: '', AFTERIMAGE_OWNER_PASSWORD: '' },
  })
  browser = await launchBrowser()
  context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  page = await context.newPage()
  link = /this link works once\): (\S+)/.exec(product.output())?.[1] ?? ''
})

afterAll(async () => {
  await browser?.close()
  await product?.[Symbol.asyncDispose]()
})

async function fillOwner(on: Page, change: Partial<typeof account> = {}): Promise<void> {
  const owner = { ...account, ...change }
  await on.getByLabel('Your name').fill(owner.name)
  await on.getByLabel('E-mail').fill(owner.email)
  await on.getByLabel('Password', { exact: true }).fill(owner.password)
  await on.getByRole('button', { name: 'Create the owner account' }).click()
}

test('the first start prints a link, and the console asks to sign in', async () => {
  expect(link).toMatch(/^http:\/\/localhost:\d+\/setup\?token=[0-9a-f]{64}$/)
  await page.goto(product.url)
  await page.waitForURL('**/sign-in**')
})

test('a link with another token makes no account', async () => {
  await page.goto(link.replace(/[0-9a-f]{8}$/, '00000000'))
  await fillOwner(page)
  await page.getByText(/^This set-up link is unknown/).waitFor()
  expect(new URL(page.url()).pathname).toBe('/setup')
})

test('a field that is wrong is said, and the link still works', async () => {
  await page.goto(link)
  await fillOwner(page, { password: 'short' })
  expect(new URL(page.url()).pathname).toBe('/setup')
  const answer = await fetch(`${product.url}/api/0/setup/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      ...account,
      password: 'short',
      token: new URL(link).searchParams.get('token'),
    }),
  })
  expect(answer.status).toBe(400)
})

test('the link makes the owner’s account and signs it in', async () => {
  await page.goto(link)
  await page.locator('input[name=name]:focus').waitFor()
  await fillOwner(page)
  await page.waitForURL('**/projects/new')
  await page.getByRole('heading', { name: 'A new project' }).waitFor()
})

test('a server without a project leads to the first', async () => {
  await page.goto(`${product.url}/issues`)
  await page.getByRole('heading', { level: 1, name: 'Begin with a project.' }).waitFor()
  expect(await page.getByRole('main').getByRole('link').count()).toBe(1)
  await page.getByRole('link', { name: 'Create the first project' }).click()
  await page.waitForURL('**/projects/new')
})

test('used twice it is refused, and nobody else can register', async () => {
  const stranger = await (await browser.newContext()).newPage()
  await stranger.goto(link)
  await stranger.getByRole('heading', { name: 'This link has been used' }).waitFor()
  expect(await stranger.getByRole('textbox').count()).toBe(0)
  await stranger.context().close()
  const again = await fetch(`${product.url}/api/0/setup/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      ...account,
      email: 'eve@example.test',
      token: new URL(link).searchParams.get('token'),
    }),
  })
  expect(await again.text()).toContain('set-up link is unknown, was used')

  const headers = { 'content-type': 'application/json', origin: product.url }
  const body = JSON.stringify({ name: 'Eve', email: 'eve@example.test', password: 'eve is here!' })
  const registered = await fetch(`${product.url}/api/auth/sign-up/email`, {
    method: 'POST',
    headers,
    body,
  })
  expect(registered.ok).toBe(false)
  const signedIn = await fetch(`${product.url}/api/auth/sign-in/email`, {
    method: 'POST',
    headers,
    body,
  })
  expect(signedIn.status).toBe(401)
})

test('a project is made, and its page turns with the first real event', async () => {
  await page.goto(`${product.url}/projects/new`)
  await page.getByLabel('Name').fill('Tea shop')
  await page.getByText('React', { exact: true }).click()
  await page.getByRole('button', { name: 'Create the project' }).click()
  await page.waitForURL('**/projects/tea-shop/start')
  await page.getByRole('heading', { name: 'Waiting for the first event…' }).waitFor()
  expect(await page.getByRole('tab', { name: 'React' }).getAttribute('aria-selected')).toBe('true')
  const own = await page.getByRole('tabpanel').innerText()
  expect(own).toContain("from '@afterimage/react'")
  expect(own).toContain("tunnelPath: '/monitoring'")
  const dsn = /dsn: '([^']+)'/.exec(own)?.[1] ?? ''
  expect(dsn).toMatch(/^http:\/\/[0-9a-f]{32}@localhost:\d+\/\d+$/)
  // The tabs by their ends, as every list of tabs.
  await page.getByRole('tab', { name: 'React' }).focus()
  await page.keyboard.press('End')
  expect(await page.getByRole('tab').last().getAttribute('aria-selected')).toBe('true')
  await page.keyboard.press('Home')
  expect(await page.getByRole('tab').first().getAttribute('aria-selected')).toBe('true')
  await page.getByRole('tab', { name: 'React' }).click()
  // The same project's address with the other client, by the keyboard alone.
  await page.getByRole('tab', { name: 'React' }).focus()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  const other = await page.getByRole('tabpanel').innerText()
  expect(other).toContain("from '@sentry/react'")
  expect(other).toContain(dsn)
  const tunnel = /tunnel: '([^']+)'/.exec(other)?.[1] ?? ''
  expect(tunnel).toBe(`/monitoring?o=1&p=${dsn.split('/').at(-1)}`)

  const wrongDsn = dsn.replace(/[0-9a-f]{32}/, '9'.repeat(32))
  const refused = await fetch(product.url + tunnel, {
    method: 'POST',
    body: `${JSON.stringify({ dsn: wrongDsn })}\n{"type":"event"}\n{}`,
  })
  expect(refused.status).toBe(403)
  await page.getByText('One request was refused with 403: a wrong key').waitFor()

  const event = {
    event_id: crypto.randomUUID().replaceAll('-', ''),
    timestamp: Date.now() / 1000,
    platform: 'javascript',
    exception: { values: [{ type: 'TypeError', value: 'the kettle is empty' }] },
  }
  const envelope = [{ event_id: event.event_id, dsn }, { type: 'event' }, event]
    .map((line) => JSON.stringify(line))
    .join('\n')
  const taken = await fetch(product.url + tunnel, { method: 'POST', body: envelope })
  expect(taken.status).toBe(200)
  await page
    .getByRole('heading', { name: 'The first event has arrived.' })
    .waitFor({ timeout: 20_000 })
  await page.getByRole('link', { name: 'Open the issue' }).click()
  await page.getByRole('heading', { name: 'the kettle is empty' }).waitFor()
})

test('signing out ends the session, and signing in begins one', async () => {
  await page.goto(`${product.url}/issues`, { waitUntil: 'networkidle' })
  const cookies = await context.cookies()
  await page.getByTitle(`Account of ${account.name}`).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.waitForURL('**/sign-in**')
  // The old cookie is worth nothing any more.
  await context.addCookies(cookies)
  await page.goto(`${product.url}/issues`)
  expect(new URL(page.url()).pathname).toBe('/sign-in')
  await page.getByLabel('E-mail').fill(account.email)
  await page.getByLabel('Password', { exact: true }).fill(account.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.waitForURL('**/issues**')
  await page.getByRole('heading', { level: 1 }).waitFor()
})

test('a lost password is replaced by the command, which ends every session', async () => {
  const said = await product.run(['owner', 'password', account.email])
  const password = /^The new password is: (\S{12,})$/m.exec(said)?.[1] ?? ''
  const signIn = async (given: string): Promise<number> => {
    const answer = await fetch(`${product.url}/api/auth/sign-in/email`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: product.url },
      body: JSON.stringify({ email: account.email, password: given }),
    })
    return answer.status
  }
  expect([await signIn(account.password), await signIn(password)]).toEqual([401, 200])
  await page.goto(`${product.url}/issues`)
  expect(new URL(page.url()).pathname).toBe('/sign-in')
})
