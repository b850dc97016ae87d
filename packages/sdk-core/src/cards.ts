/** Digits that may be a card's number, together or in groups of any kind, wherever they stand. */
export const cardNumbers = /\p{N}(?:[\s_·•\p{Pd}\p{Cf}]{0,2}\p{N}){11,}/gu
