/**
 * rrweb's numbers of events and their sources, as in `@afterimage/protocol/recorded-event`: as single
 * constants bundlers write the number itself in their place. A test compares the two.
 */

export const fullSnapshot = 2
export const incremental = 3
export const meta = 4
export const custom = 5

export const mutation = 0
export const scroll = 3
export const input = 5
export const mediaInteraction = 7
export const styleSheetRule = 8
export const canvasMutation = 9
export const styleDeclaration = 13
export const selection = 14
export const adoptedStyleSheet = 15
