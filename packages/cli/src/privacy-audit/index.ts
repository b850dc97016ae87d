import { documentPlaces } from './document-places.ts'
import { formPlaces } from './form-places.ts'
import { withCanaries, type Place } from './place.ts'
import { scriptPlaces } from './script-places.ts'

export type { Place } from './place.ts'
export { audit, type AuditResult } from './audit.ts'
export { seedMarkup } from './seed.ts'

/** Every place where a secret can hide, with its canary; the same in every run. */
export const places: readonly Place[] = withCanaries({
  ...documentPlaces,
  ...formPlaces,
  ...scriptPlaces,
})
