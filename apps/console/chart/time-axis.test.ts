import { expect, test } from 'vitest'
import { axisLabels, gridValues } from './time-axis.ts'

const from = Date.UTC(2026, 10, 19, 9) / 1000

test('labels carry the day once and stay clear of now', () => {
  const labels = axisLabels(from, from + 28 * 3600, 5, 'UTC')
  expect(labels.map((label) => label.text)).toEqual(['Thu 09:00', '15:00', '21:00', 'Fri 03:00'])
  expect(labels.every((label) => label.at < 0.84)).toBe(true)
})

test('long ranges are written as dates', () => {
  const labels = axisLabels(from, from + 14 * 86_400, 5, 'UTC')
  expect(labels[0]?.text).toBe('19 Nov')
  expect(labels.every((label) => !label.text.includes(':'))).toBe(true)
})

test('an empty or backward range has no labels', () => {
  expect(axisLabels(from, from, 5, 'UTC')).toEqual([])
  expect(axisLabels(from, from - 1, 5, 'UTC')).toEqual([])
})

test('grid lines are round and below the highest bar', () => {
  expect(gridValues(34)).toEqual([15, 30])
  expect(gridValues(7)).toEqual([3, 6])
  expect(gridValues(2)).toBeNull()
})
