import { documentPlaces } from './document-places.ts'
import { elementPlaces } from './element-places.ts'
import { formPlaces } from './form-places.ts'
import { pagePlaces } from './page-places.ts'
import { withCanaries, type Place } from './place.ts'
import { scriptPlaces } from './script-places.ts'
import { stylePlaces } from './style-places.ts'
import { unmaskedPlaces } from './unmasked-places.ts'

export type { Place } from './place.ts'
export { audit, type AuditResult } from './audit.ts'
export { seedMarkup } from './seed.ts'

/** Every place where a secret can hide, with its canary; the same in every run. */
export const places: readonly Place[] = withCanaries({
  ...documentPlaces,
  ...stylePlaces,
  ...formPlaces,
  ...scriptPlaces,
  ...elementPlaces,
  ...pagePlaces,
})

/** Places that hold whatever a page unmasks: passwords and cards. */
export const placesOfSecrets: readonly Place[] = withCanaries(unmaskedPlaces)
