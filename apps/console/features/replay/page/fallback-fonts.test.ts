import { expect, test } from 'vitest'
import { fallbackOf } from './fallback-fonts.ts'

test('a known font is stood in for by one of its width and height', () => {
  expect(fallbackOf('Inter', false)).toBe(
    'src:local("Arial"),local("Liberation Sans"),local("Helvetica");size-adjust:107.12%;ascent-override:90.44%;descent-override:22.52%;line-gap-override:0.00%',
  )
  expect(fallbackOf('Lora', true)).toContain('local("Times New Roman Bold")')
  expect(fallbackOf('JetBrains Mono', false)).toContain('local("Courier New")')
})

test('the names that tools give a font are seen through, and an unknown one has no stand-in', () => {
  const inter = fallbackOf('Inter', false)
  for (const name of ['__Inter_5cfdac', '"Inter Variable"', 'InterVariable', "'Inter var'"]) {
    expect(fallbackOf(name, false)).toBe(inter)
  }
  expect(fallbackOf('GeistSans', false)).toBe(fallbackOf('Geist', false))
  expect(fallbackOf('My Company Sans', false)).toBeNull()
  expect(fallbackOf('__Inter_Fallback_5cfdac', false)).toBeNull()
})
