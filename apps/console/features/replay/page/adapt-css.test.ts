import { expect, test } from 'vitest'
import * as fc from 'fast-check'
import { adaptCss, chosenScheme } from './adapt-css.ts'
import { defaultMedia } from './media-state.ts'

const light = (text: string) => adaptCss(text, defaultMedia)
const dark = (text: string) => adaptCss(text, { colorScheme: 'dark', isMotionReduced: true })

test('the recorded settings answer media queries, never the viewer', () => {
  const query = '@media (prefers-color-scheme: dark) and (min-width:9px){p{color:red}}'
  expect(light(query)).toBe('@media (max-width:-1px) and (min-width:9px){p{color:red}}')
  expect(dark(query)).toBe('@media (min-width:0px) and (min-width:9px){p{color:red}}')
  expect(light('(prefers-color-scheme:light)')).toBe('(min-width:0px)')
  expect(light('(prefers-reduced-motion)')).toBe('(max-width:-1px)')
  expect(dark('(prefers-reduced-motion: reduce)')).toBe('(min-width:0px)')
  expect(light('(min-device-width: 400px)')).toBe('(min-width: 400px)')
})

test('a page that left its scheme open is drawn in the one it was seen in', () => {
  expect(light(':root{color-scheme: light dark;margin:0}')).toBe(
    ':root{color-scheme:light;margin:0}',
  )
  expect(dark(':root{color-scheme:light dark}')).toBe(':root{color-scheme:dark}')
  expect(dark('p{color-scheme:light}')).toBe('p{color-scheme:light}')
  expect(dark('p{--my-color-scheme:light dark}')).toBe('p{--my-color-scheme:light dark}')
  expect(chosenScheme('dark', defaultMedia)).toBe('dark')
})

test('rules of pointer and focus are matched by attributes', () => {
  expect(light('a:hover, a:focus-visible>b{}')).toBe(
    'a[afterimage-hover], a[afterimage-focus-visible]>b{}',
  )
  expect(light('.hover\\:red:hover{} a::before{} .x:hovering{}')).toBe(
    '.hover\\:red[afterimage-hover]{} a::before{} .x:hovering{}',
  )
})

test('addresses outside of the recording are gone, and each rule stays a rule', () => {
  expect(light('p{background:url(https://a.example/x.png) red}')).toBe(
    'p{background:url("data:,") red}',
  )
  expect(light("p{mask:url('#m');background:url(data:image/png;base64,AA)}")).toContain("url('#m')")
  expect(light('@import url("a.css") layer(x);p{}')).toBe('@layer afterimage-absent;p{}')
  expect(light('p{background:image-set("a.png" 1x, url(b.png) 2x)}')).toBe('p{background:none}')
  const font = '@font-face{font-family:Own;src:url(/i.woff2) format("woff2"),local("Arial")}'
  expect(light(font)).toBe('@font-face{font-family:Own;src:local(""),local("Arial")}')
})

test('a font that is missing has a stand-in with its measures', () => {
  const rule = `@font-face {
    font-family: '__Inter_5cfdac'; font-style: normal; font-weight: 700; font-display: swap;
    src: url("/_next/a.woff2") format("woff2"), url(b.woff); unicode-range: U+0000-00FF;
  }`
  const adapted = light(rule)
  expect(adapted).not.toContain('url(')
  expect(adapted).toContain("font-family: '__Inter_5cfdac'")
  expect(adapted).toContain('src:local("Arial Bold")')
  expect(adapted).toContain('size-adjust:107.12%')
  expect(adapted).toContain('unicode-range: U+0000-00FF')
  expect(adapted.match(/\{/g)).toHaveLength(1)
  expect(adapted.endsWith('}')).toBe(true)
  const sized = '@font-face{font-family:F;src:local("Arial");size-adjust:90%}'
  expect(light(sized)).toBe(sized)
})

test('strings and comments are left alone, and no text is too odd', () => {
  const kept = 'p::after{content:"a:hover url(x) @import"}/* :hover url(y) */'
  expect(light(kept)).toBe(kept)
  fc.assert(fc.property(fc.string(), (text) => typeof light(text) === 'string'))
})

test.each([
  'url(',
  'url("',
  '"\\',
  '/*',
  '@font-face{',
  '@import url(a)',
  "@import '",
  'image-set(',
  '((',
])('a text of nothing but %s is read in one go', (part) => {
  expect(light(part.repeat(100_000))).toBeTypeOf('string')
  expect(light(`@font-face{${part.repeat(100_000)}`)).toBeTypeOf('string')
})

test('addresses with what ends a rule in them are read whole', () => {
  expect(light('@import url(https://f.example/css2?f=Inter:wght@400;700&x=1);p{}')).toBe(
    '@layer afterimage-absent;p{}',
  )
  expect(light("@import url('https://f.example/css2?f=Inter:wght@400;700') screen;p{}")).toBe(
    '@layer afterimage-absent;p{}',
  )
  const recorded = '@font-face{font-family:A;src:url("data:font/woff2;base64,AA") format("woff2")}'
  expect(light(recorded)).toBe(recorded)
})
