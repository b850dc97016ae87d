/** Every count and size that bounds what the client keeps or sends, each with its reason. */

/** Newest breadcrumbs on an event. @see docs/specification.md#s12 */
export const breadcrumbsMax = 100
/**
 * Messages of breadcrumbs and events; what is longer is cut and ends in `...`.
 * @see docs/specification.md#s14
 */
export const messageCharactersMax = 2048
/** One text inside `extra`, `contexts` and the like. */
export const textCharactersMax = 8192
/** Nesting kept of what a page hands over, and members of one object. Reference numbers. */
export const dataDepthMax = 3
export const dataMembersMax = 1000
/** Values visited in one hand-over, so that a huge object cannot hold up the page. */
export const dataValuesMax = 10_000
/** Newest frames of a stack; also what engines are asked to keep. */
export const framesMax = 50
/** A longer line of a stack is not read as a frame. */
export const stackLineCharactersMax = 1024
/** Errors reported with one that was thrown: its causes, and what an AggregateError holds. */
export const linkedErrorsMax = 5
/** Description of an element: levels and characters. */
export const elementLevelsMax = 5
export const elementCharactersMax = 200
/** Requests in flight at once; more are discarded as `queue_overflow`. Reference number. */
export const requestsMax = 40
/** Browsers refuse keep-alive bodies beyond 64 KiB in all; the rest is left to the page. */
export const keepaliveBytesMax = 65_536
export const keepaliveRequestsMax = 15
/** One event as sent; the server takes a mebibyte. */
export const eventBytesMax = 1_000_000
/** An address in a breadcrumb, a frame or a request. */
export const addressCharactersMax = 2048
