import { expect, test } from 'vitest'
import { wordsOf, type Verdict, type Way } from './verdict.ts'

const tunnel = 'https://console.example/monitoring?o=1&p=7'
const direct = 'https://errors.example/api/7/envelope/?sentry_key=k'

test.each<[Verdict, Way, RegExp, RegExp]>([
  [{ type: 'arrived', ms: 1240 }, 'tunnel', /^The tunnel works$/, /after 1\.2 s/],
  [{ type: 'arrived', ms: 90 }, 'direct', /^The direct way works$/, /after 0\.1 s/],
  [{ type: 'unseen', waitedMs: 15_000 }, 'tunnel', /^Accepted/, /15 s later/],
  [{ type: 'refused', status: 403, detail: '' }, 'direct', /^Refused with 403$/, /key/],
  [{ type: 'refused', status: 404, detail: '' }, 'tunnel', /404/, /AFTERIMAGE_TUNNEL_PATH/],
  [{ type: 'refused', status: 404, detail: '' }, 'direct', /404/, /AFTERIMAGE_BASE_URL/],
  [{ type: 'refused', status: 413, detail: '' }, 'tunnel', /413/, /20 MB/],
  [{ type: 'refused', status: 429, detail: 'slow down' }, 'tunnel', /429/, /slow down$/],
  [{ type: 'refused', status: 502, detail: '' }, 'tunnel', /502/, /readyz/],
  [{ type: 'refused', status: 400, detail: 'no DSN' }, 'tunnel', /400/, /no DSN$/],
  [{ type: 'foreign', status: 200 }, 'tunnel', /else answered/, /status 200 came from https/],
  [{ type: 'foreign', status: 0 }, 'tunnel', /else answered/, /^A redirect/],
  [{ type: 'blocked', by: 'policy' }, 'tunnel', /policy/, /connect-src 'self'/],
  [
    { type: 'blocked', by: 'policy' },
    'direct',
    /policy/,
    /connect-src https:\/\/errors\.example\./,
  ],
  [{ type: 'blocked', by: 'mixed' }, 'direct', /not encrypted/, /https address/],
  [{ type: 'blocked', by: 'offline' }, 'tunnel', /offline/, /network/],
  [{ type: 'blocked', by: 'filter' }, 'tunnel', /on its way out/, /AFTERIMAGE_TUNNEL_PATH/],
  [{ type: 'blocked', by: 'filter' }, 'direct', /on its way out/, /Use the tunnel/],
  [{ type: 'blocked', by: 'unreachable' }, 'direct', /Nothing answers/, /AFTERIMAGE_BASE_URL/],
])('%o of the %s says what happened and what helps', (verdict, way, title, detail) => {
  const words = wordsOf(verdict, way, way === 'tunnel' ? tunnel : direct)
  expect(words.title).toMatch(title)
  expect(words.detail).toMatch(detail)
})
