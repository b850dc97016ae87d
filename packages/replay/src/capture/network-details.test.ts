import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createDetails, describeBody, isAllowed } from './network-details.ts'

beforeEach(() => vi.stubGlobal('document', { baseURI: 'https://shop.test/cart' }))
afterEach(() => vi.unstubAllGlobals())

const network = { allow: ['/api/'], responseHeaders: ['X-Trace'] }

test('S25 a text of 150,000 characters is kept whole, one of 150,001 is cut', () => {
  expect(describeBody('a'.repeat(150_000))).toEqual({ body: 'a'.repeat(150_000) })
  expect(describeBody('a'.repeat(150_001))).toEqual({
    body: `${'a'.repeat(150_000)}…`,
    _meta: { warnings: ['TEXT_TRUNCATED'] },
  })
})

test('S25 JSON of 150,000 characters is data, one character more makes it a cut text', () => {
  const whole = JSON.stringify(['a'.repeat(149_996)])
  expect(whole).toHaveLength(150_000)
  expect(describeBody(whole)).toEqual({ body: ['a'.repeat(149_996)] })
  const long = JSON.stringify(['a'.repeat(149_997)])
  expect(describeBody(long)).toEqual({
    body: long.slice(0, 150_000),
    _meta: { warnings: ['MAYBE_JSON_TRUNCATED'] },
  })
})

test('S25 a body that looks like JSON but is not valid is text', () => {
  expect(describeBody('{oops')).toEqual({ body: '{oops', _meta: { warnings: ['INVALID_JSON'] } })
})

test('S25 details are recorded of what is allowed and not denied', () => {
  expect(isAllowed('https://shop.test/api/cart', { allow: [] })).toBe(false)
  expect(isAllowed('https://shop.test/api/cart', network)).toBe(true)
  expect(isAllowed('https://shop.test/other', network)).toBe(false)
  expect(isAllowed('https://shop.test/api/login', { ...network, deny: [/login/] })).toBe(false)
})

test('S25 a pattern with the flag g denies every request, not every other one', () => {
  const denied = { allow: [/\/api\//g], deny: [/login/g] }
  for (let request = 0; request < 3; request += 1) {
    expect(isAllowed('https://shop.test/api/login', denied)).toBe(false)
    expect(isAllowed('https://shop.test/api/cart', denied)).toBe(true)
  }
})

test('S25 a body that an XMLHttpRequest has read as JSON is data', () => {
  const xhr = { responseType: 'json', response: { stock: 3 }, getAllResponseHeaders: () => '' }
  const { ofXhr } = createDetails(network)
  const of = (it: object) => ofXhr('/api/stock', null, it as XMLHttpRequest)
  expect(of(xhr).response).toMatchObject({ body: { stock: 3 }, size: 11 })
  expect(of({ ...xhr, response: null }).response).toEqual({ headers: {} })
  expect(of({ ...xhr, responseType: 'blob' }).response).toMatchObject({
    _meta: { warnings: ['UNPARSEABLE_BODY_TYPE'] },
  })
})

test('S25 other requests have nothing but their size recorded', async () => {
  const response = new Response('secret', { headers: { 'content-length': '6' } })
  expect(await createDetails(network).ofFetch('/login', { body: 'password=1' }, response)).toEqual({
    request: { headers: {}, size: 10, _meta: { warnings: ['URL_SKIPPED'] } },
    response: { headers: {}, size: 6, _meta: { warnings: ['URL_SKIPPED'] } },
    requestBodySize: 10,
    responseBodySize: 6,
  })
  expect(await response.text()).toBe('secret')
})

test('S25 headers by their own list, bodies as data, and the page reads its response itself', async () => {
  const response = new Response('{"stock":3}', {
    headers: { 'content-type': 'application/json', 'x-trace': '1', 'set-session': 'secret' },
  })
  const init = {
    headers: { Accept: 'text/html', Authorization: 'Bearer secret' },
    body: new URLSearchParams({ a: '1' }),
  }
  expect(await createDetails(network).ofFetch('/api/stock', init, response)).toMatchObject({
    request: { headers: { accept: 'text/html' }, body: 'a=1', size: 3 },
    response: {
      headers: { 'content-type': 'application/json', 'x-trace': '1' },
      body: { stock: 3 },
      size: 11,
    },
  })
  expect(await response.json()).toEqual({ stock: 3 })
})

test('S25 a body that takes longer than 500 ms is left out', async () => {
  vi.useFakeTimers()
  const endless = new Response(new ReadableStream({ start: () => undefined }))
  const details = createDetails(network).ofFetch('/api/events', undefined, endless)
  await vi.advanceTimersByTimeAsync(500)
  expect((await details).response).toMatchObject({ _meta: { warnings: ['BODY_PARSE_TIMEOUT'] } })
  vi.useRealTimers()
})

test('S25 a stream is abandoned when its time is over: the page alone decides when it ends', async () => {
  vi.useFakeTimers()
  const cancelled = vi.fn()
  const stream = new Response(new ReadableStream({ cancel: cancelled }))
  const details = createDetails(network).ofFetch('/api/events', undefined, stream)
  await vi.advanceTimersByTimeAsync(500)
  await details
  await stream.body?.cancel('seen enough')
  expect(cancelled).toHaveBeenCalledOnce()
  vi.useRealTimers()
})

test.each(['TransformStream', 'AbortSignal'])(
  'S25 in a browser without %s the rest of the details comes, and nothing is thrown',
  async (name) => {
    vi.stubGlobal(name, undefined)
    const response = new Response('{}', { headers: { 'content-type': 'application/json' } })
    const details = await createDetails(network).ofFetch('/api/cart', undefined, response)
    vi.unstubAllGlobals()
    expect(details?.response.headers).toEqual({ 'content-type': 'application/json' })
  },
)

test('S25 a Request has its headers, and a body that only it can read', async () => {
  const request = new Request('https://shop.test/api/cart', {
    method: 'POST',
    headers: { accept: 'text/html' },
    body: 'a=1',
  })
  const details = await createDetails(network).ofFetch(request.url, request, new Response(''))
  expect(details.request).toMatchObject({
    headers: { accept: 'text/html' },
    _meta: { warnings: ['UNPARSEABLE_BODY_TYPE'] },
  })
})

test('S25 bodies that are not text are named', async () => {
  const details = await createDetails(network).ofFetch(
    '/api/upload',
    { body: new Blob(['x']) },
    new Response(''),
  )
  expect(details.request).toMatchObject({ _meta: { warnings: ['UNPARSEABLE_BODY_TYPE'] } })
})
