import { expect, test } from 'vitest'
import { ruleOf } from './attribute-rules.ts'

test.each([
  ['value', 'value type'],
  ['style', 'style'],
  ['sheet', '_cssText'],
  ['address', 'background data poster href HREF xlink:href src rr_src srcset'],
  [
    'keep',
    'align bgcolor border cellpadding class CLASS color cols rows colspan rowspan dir for height id is lang marginwidth media name part rel role size sizes slot span start valign width wrap rr_width',
  ],
  ['drop', 'onclick ONLOAD srcdoc nonce'],
  ['mask', 'aria-label data-user title xlink:title inkscape:label alt'],
  [
    'drawn',
    'values mytype styled css_cssText mysrc srcs database classy myclass cell placeholder content subtitle salt d viewBox x',
  ],
])('the rule is %s for %s', (rule, names) => {
  expect(names.split(' ').filter((name) => ruleOf(name) !== rule)).toEqual([])
})
