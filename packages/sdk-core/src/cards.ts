/** Digits that may be a card number, together or in groups, anywhere in a text. */
export const cardNumbers = /\p{N}(?:[\s_·•\p{Pd}\p{Cf}]{0,2}\p{N}){11,}/gu
