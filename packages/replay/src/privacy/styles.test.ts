import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { cleanDeclaration, cleanStyle } from './styles.ts'

const supports = (condition: string): boolean => /:(red|solid|none)\)/.test(condition)
const show = (text: string): string => text.replace(/\d{12,}/, '*')

beforeAll(() => {
  vi.stubGlobal('CSS', { supports })
})
afterAll(() => {
  vi.unstubAllGlobals()
})

const clean = (style: string): string => cleanStyle(style, undefined)
const cleanOwn = (style: string): string => cleanStyle(style, null)

test('words in a style sheet are masked, icons are not', () => {
  expect(clean('a::after{content:"Bob" attr(x);color:red}')).toBe(
    'a::after{content:"***" attr(x);color:red}',
  )
  for (const icon of [String.raw`\f101`, String.raw`\e900`, String.raw`\f0004`, '\uf101']) {
    expect(clean(`i{content:"${icon}"}`)).toBe(`i{content:"${icon}"}`)
  }
  expect(clean(String.raw`i{content:"\42 ob \000042"}`)).toBe(String.raw`i{content:"*** *"}`)
  expect(clean('ol{list-style-type:"Bob";quotes:"Bo" \'b\';text-overflow:"B"}')).toBe(
    'ol{list-style-type:"***";quotes:"**" \'*\';text-overflow:"*"}',
  )
  expect(clean('@counter-style a{symbols:"Bob" Carl;suffix:Dora;pad:3 "0"}')).toBe(
    '@counter-style a{symbols:"***" xxxx;suffix:xxxx;pad:3 "*"}',
  )
})

test('strings end where CSS says they do', () => {
  expect(clean(String.raw`a{content:"B\"b} c"}`)).toBe(String.raw`a{content:"*\"*} *"}`)
  expect(clean('a{content:"Bob')).toBe('a{content:"***')
  expect(clean('a{color:red}/* Bob */b{top:0}/* Bob')).toBe('a{color:red}b{top:0}')
})

test('names of fonts and areas stay', () => {
  const style = 'a{font:1em "Geist";grid-template-areas:"a b"}@property --x{syntax:"<color>"}'
  expect(clean(style)).toBe(style)
})

test('custom properties keep only the words of CSS', () => {
  const style =
    ":root{--a:#fff;--b: calc(1px + var(--c,33.3333333%)) solid;--c:0 -.5rem 1e3;--d:sans-serif,system-ui;--e:none!important;--f:'';--g:}"
  expect(clean(style)).toBe(style)
  expect(clean("a{--user:'Bob; 7';--x:Bob and Carl7,red;--y:{a:Bob;b:red}}")).toBe(
    "a{--user:'***; *';--x:xxx xxx xxxxx,red;--y:{a:xxx;b:red}}",
  )
  expect(clean('--card:4111111111111111;--b:bob')).toBe('--card:xxxxxxxxxxxxxxxx;--b:xxx')
  expect(clean('@property --x{initial-value:Bob;inherits:false}')).toBe(
    '@property --x{initial-value:xxx;inherits:false}',
  )
})

test('a selector is not a property, whatever its name', () => {
  const style = '.a--b:hover,.font:focus .grid--c:not(.d){color:red}.suffix:hover{top:0}'
  expect(clean(style)).toBe(style)
  expect(clean('.font:hover [title="Bob"]{top:0}')).toBe('.font:hover [title="xxx"]{top:0}')
})

test('attribute values are masked in selectors as in elements', () => {
  expect(clean('[data-user="Bob"],[ title ^= Bob i]{top:0}')).toBe(
    '[data-user="xxx"],[ title ^= xxx i]{top:0}',
  )
  const style = 'input[type="checkbox"],[class*=icon-],[dir=rtl],[hidden]{top:0}'
  expect(clean(style)).toBe(style)
})

test('addresses are cleaned, and inlined data is dropped', () => {
  expect(clean('a{background:url(/a?user=bob#b),URL( "data:image/svg+xml,<b>(Bob)</b>" )}')).toBe(
    'a{background:url(/a?user=*),URL( "data:" )}',
  )
  expect(clean("a{--image:url('data:image/png;base64,aaaa')}")).toBe("a{--image:url('data:')}")
})

test('declarations of an element keep no address', () => {
  expect(cleanStyle('background:url("a)b?bob") red;quotes:"Bob" \'B\'', null)).toBe(
    'background:url("") red;quotes:"***" \'*\'',
  )
  expect(cleanDeclaration('content', '"Bob"', cleanOwn)).toBe('"***"')
  expect(cleanDeclaration('--user', 'Bob', cleanOwn)).toBe('xxx')
  expect(cleanDeclaration('background-image', 'url(a.png)', cleanOwn)).toBe('url()')
})

test('all declarations of a rule are cleaned as those of a sheet', () => {
  expect(
    cleanDeclaration(
      'rr_style',
      '--a:Bob;content:"Bob";font-family:Geist;background:url(/a?b=bob)',
      clean,
    ),
  ).toBe('--a:xxx;content:"***";font-family:Geist;background:url(/a?b=*)')
})

test('names are those of CSS in any case', () => {
  expect(clean('a{background:URL(/a?b=bob)}@property --x{INITIAL-VALUE:Bob}')).toBe(
    'a{background:URL(/a?b=*)}@property --x{INITIAL-VALUE:xxx}',
  )
})

test('where the whole page is shown words are too, without secrets', () => {
  expect(cleanStyle('[data-a=b]{--a:Bob;content:"Bob 4111111111111111"}', undefined, show)).toBe(
    '[data-a=b]{--a:Bob;content:"Bob *"}',
  )
})

/** Cleans declarations on an element. */
function bare(style: string): string {
  return cleanStyle(style, null)
}

describe.each(['"', "'"])('a string in %s', (quote) => {
  const other = quote === '"' ? "'" : '"'
  /** It holds all that ends something else. */
  const words = `Bob ${other}\\${quote};}])Bob`
  const whole = quote + words + quote
  const masked = whole.replaceAll('Bob', '***')
  const unlike = whole.replace(/[^\s"']/g, 'x')

  test('is masked to its end, wherever it stands', () => {
    expect(bare(`a{content:${whole};top:0}`)).toBe(`a{content:${masked};top:0}`)
    expect(bare(`a{--a:${whole};top:0}`)).toBe(`a{--a:${masked};top:0}`)
    expect(bare(`[title=${whole}]{top:0}`)).toBe(`[title=${unlike}]{top:0}`)
    expect(bare(`a{src:url( ${whole} );top:0}`)).toBe(`a{src:url( ${quote}${quote} );top:0}`)
    expect(bare(`a{--a:url( ${whole} ),red}`)).toBe(`a{--a:url( ${quote}${quote} ),red}`)
  })

  test('stays as the name of a font, to its end', () => {
    const style = `a{font-family :${whole},x;content:${whole}}`
    expect(bare(style)).toBe(`a{font-family :${whole},x;content:${masked}}`)
  })

  test.each(['', '\\'])('that does not end, but in %j, is masked as well', (end) => {
    const cut = `${quote}Bob${end}`
    const hidden = `${quote}***${end}`
    expect(bare(`a{content:${cut}`)).toBe(`a{content:${hidden}`)
    expect(bare(`a{--a:${cut}`)).toBe(`a{--a:${hidden}`)
    expect(bare(`[title=${cut}`)).toBe(`[title=${cut.replace(/[^"']/g, 'x')}`)
    expect(bare(`a{src:url(${cut}`)).toBe(`a{src:url(${quote}`)
    expect(bare(`a{--a:url(${cut}`)).toBe(`a{--a:url(${quote}`)
    expect(bare(`a{font:${cut}`)).toBe(`a{font:${cut}`)
  })
})

test('an address without quotes goes to its bracket, or to the end', () => {
  expect(clean('a{--a:url(data:image/svg+xml;utf8,<b>{Bob}</b>),red;--b:Bob}')).toBe(
    'a{--a:url(data:),red;--b:xxx}',
  )
  expect(cleanStyle('a{--a:url( Bob/a;b ) red;src:url(Bob)}', null)).toBe(
    'a{--a:url(  ) red;src:url()}',
  )
  expect(cleanStyle('a{src:url(Bob', null)).toBe('a{src:url(')
  expect(cleanStyle('a{--a:url(Bob', null)).toBe('a{--a:url(')
})

test('colours, numbers and short words are of the language, longer ones are not', () => {
  const style = 'a{--a:#fff #ffff8800 xy 1234567px 1e-12 1.5E3 -2%}'
  expect(clean(style)).toBe(style)
  expect(clean('a{--a:#fg #zzz #ffffffff1 xyz 12345678px 1e}')).toBe(
    'a{--a:xxx xxxx xxxxxxxxxx xxx xxxxxxxxxx 1e}',
  )
})

test('hostile sheets cost linear time', () => {
  const started = performance.now()
  for (const part of [
    'url(',
    '"',
    "'\\",
    '--a:',
    '--a:{',
    '--a:url(;{',
    ' url(x)',
    'font:',
    '[a=',
    '/*',
    '(',
    ':',
    '\\',
  ]) {
    cleanStyle(part.repeat(20_000), undefined)
  }
  expect(performance.now() - started).toBeLessThan(5000)
})
