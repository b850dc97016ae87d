import { remember } from './remember.ts'

/** What happens to an attribute before it is recorded. */
export type Rule = 'keep' | 'mask' | 'drawn' | 'value' | 'address' | 'style' | 'sheet' | 'drop'

/** The first that a name matches. What no list names is masked like text. */
const rules: readonly (readonly [names: RegExp, rule: Rule])[] = [
  [/^(value|type)$/, 'value'],
  [/^style$/, 'style'],
  [/^_cssText$/, 'sheet'],
  [/^(background|data|poster|(\w+:)?href|(rr_)?src|srcset)$/i, 'address'],
  // How an element looks and what it is: needed to draw it, and the developer's own words.
  [
    /^(align|bgcolor|border|cell\w+|class|color|(col|row)s(pan)?|dir|for|height|id|is|lang|margin\w+|media|name|part|rel|role|sizes?|slot|span|start|valign|width|wrap|rr_\w+)$/i,
    'keep',
  ],
  [/^(on|srcdoc|nonce)/i, 'drop'],
  [/^(aria-|data-|(\w+:)?title$|alt$)/i, 'mask'],
  // Geometry and paint, where an element is drawn by its attributes.
  [/^/, 'drawn'],
]

/** What happens to an attribute of this name. */
export const ruleOf = remember((name) => rules.find(([names]) => names.test(name))![1])
