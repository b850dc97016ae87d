import { expect, test } from 'vitest'
import { allBytesMax, chunkBytesMax, weighChunks } from './recorder.ts'

test('the recorder stays within its budget', { timeout: 60_000 }, async () => {
  const { recorder, measures } = await weighChunks()
  expect(recorder.gzippedBytes).toBeLessThanOrEqual(chunkBytesMax)
  expect(recorder.gzippedBytes + measures.gzippedBytes).toBeLessThanOrEqual(allBytesMax)
})
