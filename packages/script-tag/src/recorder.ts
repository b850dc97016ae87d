/**
 * The recorder's chunk. It is built apart from the client, so that its kernel is a copy: the
 * client's settings are handed on.
 */
import { setSecretPaths } from '@afterimage/sdk-core/clean-address'
import { setDepth } from '@afterimage/sdk-core/normalize'
import { startRecorder as start } from '@afterimage/replay/start-recorder'

/** Starts the recorder with the settings of its client. */
export const startRecorder: typeof start = (client, ...rest) => {
  setSecretPaths(client.options.secretPaths)
  setDepth(client.options.normalizeDepth)
  return start(client, ...rest)
}
