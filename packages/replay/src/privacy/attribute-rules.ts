import { remember } from './remember.ts'

/** The treatment of an attribute before it is recorded. */
export type Rule = 'keep' | 'mask' | 'drawn' | 'value' | 'address' | 'style' | 'sheet' | 'drop'

/** The first group that a name matches decides; unlisted names are masked like text. */
const rules: readonly (readonly [names: RegExp, rule: Rule])[] = [
  [/^(value|type)$/, 'value'],
  [/^style$/, 'style'],
  [/^_cssText$/, 'sheet'],
  [/^(background|data|poster|(\w+:)?href|(rr_)?src|srcset)$/i, 'address'],
  // Appearance and purpose of an element: needed to draw it, and written by developers.
  [
    /^(align|bgcolor|border|cell\w+|class|color|(col|row)s(pan)?|dir|for|height|id|is|lang|margin\w+|media|name|part|rel|role|sizes?|slot|span|start|valign|width|wrap|rr_\w+)$/i,
    'keep',
  ],
  [/^(on|srcdoc|nonce)/i, 'drop'],
  [/^(aria-|data-|\w+:|title$|alt$)/i, 'mask'],
  // Geometry and paint of drawings, which are given by attributes.
  [/^/, 'drawn'],
]

/** Returns the rule for an attribute of this name. */
export const ruleOf = remember((name) => rules.find(([names]) => names.test(name))![1])
