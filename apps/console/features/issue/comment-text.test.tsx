import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { CommentText } from './comment-text.tsx'

const html = (text: string) => renderToStaticMarkup(<CommentText text={text} />)

test('emphasis, code, lists, quotes and links are drawn', () => {
  expect(html('**bold** and *soft*, `code`\nnext line')).toContain(
    '<p><b>bold</b> and <em>soft</em>, <code>code</code><br/>next line</p>',
  )
  expect(html('- [x] one\n- two')).toContain('<ul><li>☑ <span>one</span></li>')
  expect(html('3. three')).toContain('<ol start="3"><li><span>three</span></li></ol>')
  expect(html('> said')).toContain('<blockquote><p>said</p></blockquote>')
  expect(html('```\nif (a < b)\n```')).toContain('<pre>if (a &lt; b)</pre>')
  expect(html('# Not a heading of the page')).toContain('<p><b>Not a heading of the page</b></p>')
})

test('a link leaves without a trace, and only to an address of the web or of mail', () => {
  expect(html('[the log](https://ci.example/1)')).toContain(
    '<a href="https://ci.example/1" rel="noopener noreferrer nofollow" target="_blank">the log</a>',
  )
  for (const href of ['javascript:alert(1)', 'data:text/html,x', '/settings', 'JaVaScRiPt:x']) {
    expect(html(`[x](${href})`)).not.toContain('<a')
    expect(html(`[x](${href})`)).toContain(href)
  }
})

test('HTML is the text it is, and nothing is loaded', () => {
  const hostile = '<img src=x onerror=alert(1)>\n\n<script>alert(1)</script> a <b onclick=x>b</b>'
  expect(html(hostile)).not.toMatch(/<(?:img|script|b)\b/)
  expect(html('![a cat](https://evil.example/cat.png)')).toContain(
    '<a href="https://evil.example/cat.png"',
  )
})

test('a comment too long or too deep to read stays text', () => {
  const deep = '>'.repeat(3_999)
  expect(html(deep)).toContain('&gt;'.repeat(100))
  expect(html('**a** '.repeat(1_000))).not.toContain('<b>')
})
