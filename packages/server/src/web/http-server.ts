import type { ServerOptions } from 'node:http'
import { defaultFrontDoorLimits } from '../front-door/limits.ts'

/**
 * Options of `web`'s server. The front door has decided which headers are too large, and added some
 * of its own: a request that passed there is not refused here.
 */
export const webServerOptions: ServerOptions = {
  maxHeaderSize: 4 * defaultFrontDoorLimits.headBytesMax,
}
