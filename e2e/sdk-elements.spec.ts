import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launchBrowser } from './support/browser.ts'
import { startSdkServer, type SdkServer } from './support/sdk-server.ts'

/** Descriptions of elements in breadcrumbs, which never show what people write or read. */

declare const describeElement: typeof import('@afterimage/sdk-core/describe-element').describeElement
declare const createLabels: typeof import('@afterimage/sdk-core/labels').createLabels

let browser: Browser
let server: SdkServer
let page: Page

beforeAll(async () => {
  browser = await launchBrowser()
  server = await startSdkServer({
    page: {
      script: `import { describeElement } from '@afterimage/sdk-core/describe-element'
        import { createLabels } from '@afterimage/sdk-core/labels'
        Object.assign(globalThis, { describeElement, createLabels })`,
    },
  })
  page = await browser.newPage()
  await page.goto(`${server.url}/page`)
})

afterAll(async () => {
  await browser.close()
  await server.close()
})

/** Describes the element `#it` (or the first in a shadow root) of this markup. */
function describe(html: string, unmask?: string, hide = ''): Promise<string> {
  return page.evaluate(
    ({ html, unmask, hide }) => {
      document.body.innerHTML = html
      const host = document.querySelector('#host')
      if (host !== null) host.attachShadow({ mode: 'open' }).innerHTML = '<b id="it">secret</b>'
      const element = document.querySelector('#it') ?? host?.shadowRoot?.querySelector('#it')
      return element ? describeElement(element, createLabels({ unmask, hide })) : 'none'
    },
    { html, unmask, hide },
  )
}

const secret =
  '<i id="it" aria-label="secret" title="secret" alt="secret" placeholder="secret" value="secret" data-user="secret" href="/?secret">secret</i>'

test('text, labels, titles, values and data are not in it (the reference sends labels and titles)', async () => {
  expect(await describe(`<p title="secret">${secret}</p>`)).toBe('body > p > i#it')
})

test('inside of what is unmasked labels are, and values still are not', async () => {
  const shown = 'i#it[aria-label="secret"][title="secret"][alt="secret"]'
  for (const wrapper of ['class="afterimage-unmask"', 'data-afterimage-unmask']) {
    expect(await describe(`<p ${wrapper}>${secret}</p>`)).toContain(shown)
    expect(await describe(`<p ${wrapper}>${secret}</p>`, '')).toContain(shown)
  }
  expect(await describe(`<p class="public">${secret}</p>`, '.public')).toContain(shown)
  expect(await describe(`<p class="public">${secret}</p>`, '.other')).not.toContain('secret')
})

test('elements masked or blocked inside unmasked ones have no labels', async () => {
  for (const mark of ['mask', 'block']) {
    for (const wrapper of [`class="afterimage-${mark}"`, `data-afterimage-${mark}`]) {
      const inner = await describe(
        `<div class="afterimage-unmask"><p ${wrapper}>${secret}</p></div>`,
      )
      expect(inner).not.toContain('secret')
      const outer = await describe(
        `<div ${wrapper}><p class="afterimage-unmask">${secret}</p></div>`,
      )
      expect(outer).toContain('secret')
    }
  }
})

test('elements masked or blocked by selectors of the recorder have no labels', async () => {
  const html = `<div class="afterimage-unmask"><p class="vault">${secret}</p></div>`
  expect(await describe(html, undefined, ',.vault')).not.toContain('secret')
  expect(await describe(html, undefined, ',.other')).toContain('secret')
  expect(await describe(html, undefined, ',..')).not.toContain('secret')
})

test('numbers of cards are in no label', async () => {
  const html = `<p class="public"><i id="it" title="Card 4111\u00a01111 1111-1111 of Bob"></i></p>`
  expect(await describe(html, '.public')).toContain('[title="Card * of Bob"]')
})

test('a selector that is not valid unmasks nothing', async () => {
  expect(await describe(`<p class="public">${secret}</p>`, '.public,:::')).not.toContain('secret')
})

test('names, types, roles and classes are the words of the developer', async () => {
  expect(
    await describe(
      '<form class=" pay  now "><input id="it" type="submit" name="go" role="switch" data-testid="t"></form>',
    ),
  ).toBe('body > form.pay.now > input#it[type="submit"][name="go"][role="switch"][data-testid="t"]')
})

test('out of a shadow root it goes on at the host', async () => {
  expect(await describe('<section id="host"></section>')).toBe('body > section#host > b#it')
})

test('a form whose members hide its own is described all the same', async () => {
  expect(
    await describe(
      '<form id="it"><input name="id"><input name="className"><input name="getAttribute"><input name="parentElement"></form>',
    ),
  ).toContain('form#it')
})

test('at most five levels and 200 characters', async () => {
  const deep = '<div>'.repeat(9)
  expect(await describe(`${deep}<b id="it"></b>`)).toBe('div > div > div > div > b#it')
  const long = 'x'.repeat(150)
  expect(await describe(`<p class="${long}"><b class="${long}" id="it"></b></p>`)).toBe(
    `body > p.${long} > b#it`,
  )
  expect(await describe(`<p class="${long}${long}"><b id="it"></b></p>`)).toBe('b#it')
  expect((await describe(`<b id="it" name="${long}${long}"></b>`)).length).toBe(200)
})
