/**
 * rrweb's numbers of events and their sources, as single constants, which bundlers inline.
 * @see https://github.com/rrweb-io/rrweb/blob/main/packages/types/src/index.ts
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
