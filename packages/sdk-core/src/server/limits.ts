/** Every size and time that bounds what the server side of an application keeps, sends or waits for. */

const mebibyte = 1024 * 1024

/**
 * One envelope through the tunnel. The largest honest ones are replay segments (10 MiB at the
 * server) and errors with attachments; a tunnel holds a body in memory until it is forwarded.
 */
export const tunnelBodyBytesMax = 20 * mebibyte
/** Bodies that one tunnel holds at the same time, together; beyond it the answer is 503. */
export const tunnelBodiesBytesMax = 100 * mebibyte
/** A body must have come by then: long enough for a large one over a bad mobile line. */
export const tunnelBodyMsMax = 60_000
/** The server's whole answer must have come by then. */
export const tunnelAnswerMsMax = 10_000
/** The server's answers are an id or a few words. */
export const tunnelAnswerBytesMax = 64 * 1024
/** Bytes read of a refused body, so that the sender receives the answer. */
export const tunnelDrainBytesMax = mebibyte
/**
 * Requests of the server side in flight, of each category; more are discarded and counted as
 * `queue_overflow`.
 */
export const serverRequestsMax = 20
/** Time for one report of the server side. */
export const serverSendMsMax = 5000
