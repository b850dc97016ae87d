import { expect, test } from 'vitest'
import { apiBodyBytesMax, strangerBodyBytesMax, webBodyBytesMax } from './web-body.ts'
import { UPLOAD_BODY_BYTES_MAX } from '../source-maps/limits.ts'

const authorization = 'Bearer x'

test.each([
  ['/api/0/organizations/main/chunk-upload/', { authorization }, UPLOAD_BODY_BYTES_MAX],
  ['/api/0/organizations/main/chunk-upload?x=1', { authorization }, UPLOAD_BODY_BYTES_MAX],
  ['/api/0/projects/main/a/releases/a%401/files/', { authorization }, UPLOAD_BODY_BYTES_MAX],
  ['/api/0/organizations/main/chunk-upload/', { cookie: 'a=b' }, apiBodyBytesMax],
  ['/api/0/issues/1/?x=/chunk-upload/', { authorization }, apiBodyBytesMax],
  ['/api/0/organizations/main/releases/', { authorization }, apiBodyBytesMax],
  ['/api/0/organizations/main/chunk-upload/', {}, strangerBodyBytesMax],
  ['/chunk-upload/', { authorization }, strangerBodyBytesMax],
])('the body of %s with %j has at most %i bytes', (url, headers, bytes) => {
  expect(webBodyBytesMax({ url, headers })).toBe(bytes)
})
