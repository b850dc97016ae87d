/** Every number that bounds the pictures of canvases, each with its reason. */

/** Pictures of each canvas in a second: a person follows what happens, and segments stay small. */
export const framesPerSecond = 2
export const framesPerSecondMax = 4
/** Longest side of a picture in px. Larger canvases are scaled down. */
export const sideMax = 1280
/** Labels are readable at this quality of WebP. */
export const quality = 0.4
/** Canvases recorded at once; further ones stay blank. */
export const canvasesMax = 20
/** Characters of one picture, in base64. Larger ones are left out: noise, or PNG in Safari. */
export const pictureCharactersMax = 300_000
/**
 * Characters of new pictures within the time of a segment; further ones wait. The buffer of a
 * replay (20,000,000) then has room for the two minutes that it keeps.
 */
export const windowCharactersMax = 800_000
export const windowMs = 5000
/** Time for a worker to encode a picture; then the page does it. */
export const encodeMs = 5000
/** Interval at which a drawing that the browser is about to discard is copied. */
export const copyMs = 100
