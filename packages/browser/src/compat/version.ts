import { sdk } from '@afterimage/sdk-core/version'

/** A module of its own, so that nothing else of the entry brings it along. */
export const SDK_VERSION: string = sdk.version
