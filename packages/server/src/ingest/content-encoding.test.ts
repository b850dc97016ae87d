import { expect, test } from 'vitest'
import { isBrotliSafe } from './content-encoding.ts'

test('Brotli decodes what strangers send only in a version without the known flaw', () => {
  for (const version of ['1.2.1', '1.3.0', '2.0.0', '1.10.0']) {
    expect([version, isBrotliSafe(version)]).toEqual([version, true])
  }
  for (const version of ['1.2.0', '1.1.9', '1.0.10', '0.6.0', '', 'unknown', undefined]) {
    expect([version, isBrotliSafe(version)]).toEqual([version, false])
  }
})
