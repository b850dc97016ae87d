import type { ServerOptions } from 'node:http'
import { defaultFrontDoorLimits } from '../front-door/limits.ts'

/**
 * How `web` listens. The front door has decided which headers are too large, and added some of its
 * own: nothing that passed there is refused here.
 */
export const webServerOptions: ServerOptions = {
  maxHeaderSize: 4 * defaultFrontDoorLimits.headBytesMax,
}
