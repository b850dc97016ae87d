/** The tunnel for any server: it imports neither Next nor Node. */
export { createTunnel } from '@afterimage/sdk-core/server/tunnel'
export type { Tunnel, TunnelOptions } from '@afterimage/sdk-core/server/tunnel'
