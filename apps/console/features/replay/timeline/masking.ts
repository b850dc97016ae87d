import { customOf } from './recorded.ts'
import type { Recording } from './recording.ts'

/** The masking that the recorder reports, applied before anything left the browser. */
export interface Masking {
  readonly isTextMasked: boolean
  readonly areInputsMasked: boolean
  readonly isMediaBlocked: boolean
}

/** Null when the recorder did not say: it does so in its first segment only. */
export function deriveMasking(recording: Recording): Masking | null {
  for (const event of recording.events) {
    const custom = customOf(event)
    if (custom?.tag !== 'options') continue
    return {
      isTextMasked: custom.payload['maskAllText'] === true,
      areInputsMasked: custom.payload['maskAllInputs'] === true,
      isMediaBlocked: custom.payload['blockAllMedia'] === true,
    }
  }
  return null
}

/** Writes `text, inputs and media masked in the browser`; null when nothing was masked, or it is unknown. */
export function maskingWords(masking: Masking | null): string | null {
  if (masking === null) return null
  const parts = [
    masking.isTextMasked ? 'text' : '',
    masking.areInputsMasked ? 'inputs' : '',
    masking.isMediaBlocked ? 'media' : '',
  ].filter((part) => part !== '')
  if (parts.length === 3) return 'masked in the browser'
  return parts.length === 0 ? null : `${parts.join(' and ')} masked in the browser`
}
