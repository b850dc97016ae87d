import { incrementalSources, recordedEventTypes } from '@afterimage/protocol/recorded-event'
import { expect, test } from 'vitest'
import * as kinds from './kinds.ts'

test('numbers are those of the protocol', () => {
  expect({ ...recordedEventTypes, ...incrementalSources }).toMatchObject({ ...kinds })
})
