import { expect, test } from 'vitest'
import { failureOf, mainRead, readAnswer, readLinkHeader, type Answer } from './answer.ts'

const link = (rel: string, results: boolean, cursor: string): string =>
  `<http://x.test/?cursor=${cursor}>; rel="${rel}"; results="${results}"; cursor="${cursor}"`

test('a page that has no results is not a page to go to, whatever its cursor', () => {
  const header = `${link('previous', false, '0:0:1')}, ${link('next', true, '0:25:0')}`
  expect(readLinkHeader(header)).toEqual({ previous: null, next: '0:25:0' })
  expect(readLinkHeader(link('next', false, '0:50:0'))).toEqual({ previous: null, next: null })
  expect(readLinkHeader(null)).toEqual({ previous: null, next: null })
})

function refused(response: Response): Promise<Answer<unknown> & { isOk: false }> {
  return readAnswer(response) as Promise<Answer<unknown> & { isOk: false }>
}

test('a failure of the API is reported as what it threw, and never shown', async () => {
  const thrown = new TypeError('no such table: issues')
  const response = Response.json({ detail: 'Internal error.' }, { status: 500 })
  Object.defineProperty(response, Symbol.for('afterimage.failure'), { value: thrown })
  const answer = await refused(response)
  expect(answer).toEqual({ isOk: false, status: 500, detail: 'Internal error.' })
  expect(JSON.stringify(answer)).not.toContain('issues')
  expect(failureOf(answer)).toBe(thrown)
})

test('where only its answer is known, it is what the answer says', async () => {
  const answer = await refused(Response.json({ detail: 'Try again.' }, { status: 503 }))
  expect(failureOf(answer)).toEqual(new Error('Try again.'))
})

const answerOf = (status: number, body: string) => readAnswer(new Response(body, { status }))

test('S2 a refusal of the API is an answer; a failure of the API throws', async () => {
  const notKnown = await answerOf(400, '{"detail":"No such token."}')
  expect(mainRead(notKnown)).toMatchObject({ isOk: false, status: 400, detail: 'No such token.' })
  expect(mainRead(await answerOf(200, '[1]'))).toMatchObject({ isOk: true, value: [1] })
  const failed = await answerOf(500, '{"detail":"A store could not be read."}')
  expect(() => mainRead(failed)).toThrow('A store could not be read.')
  const gone = await answerOf(503, 'not JSON')
  expect(() => mainRead(gone)).toThrow('The API answered 503.')
})

test('half a character is replaced: a document cannot hold it, and would be drawn anew', async () => {
  const lone = JSON.stringify({ title: 'a\ud800b', more: ['\udc00', 'whole 😀'] })
  expect(await answerOf(200, lone)).toMatchObject({
    value: { title: 'a\ufffdb', more: ['\ufffd', 'whole 😀'] },
  })
})
