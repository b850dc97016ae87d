/** Every count and size that bounds what the client keeps or sends, each with its reason. */

/** Newest breadcrumbs on an event. @see docs/specification.md#s12 */
export const breadcrumbsMax = 100
/**
 * Characters of a message of a breadcrumb or an event; a longer one is cut and ends in `...`.
 * @see docs/specification.md#s14
 */
export const messageCharactersMax = 2048
/** One text inside `extra`, `contexts` and the like. */
export const textCharactersMax = 8192
/** Levels kept of the page's data, by default and at most, and members. Reference numbers. */
export const dataDepth = 3
export const dataDepthMax = 10
export const dataMembersMax = 1000
/** Values visited in one call, so that a huge object cannot block the page. */
export const dataValuesMax = 10_000
/** Newest frames of a stack; engines are asked to keep as many. */
export const framesMax = 50
/** A longer line of a stack is not read as a frame. */
export const stackLineCharactersMax = 1024
/** Errors reported with a thrown one: its causes, and the errors of an AggregateError. */
export const linkedErrorsMax = 5
/** Description of an element: levels and characters. */
export const elementLevelsMax = 5
export const elementCharactersMax = 200
/** Requests in flight at once; more are discarded as `queue_overflow`. Reference number. */
export const requestsMax = 40
/** Bytes kept alive: browsers refuse more than 64 KiB in all, and the page needs some. */
export const keepaliveBytesMax = 65_536
export const keepaliveRequestsMax = 15
/** Bytes of one event as sent; the server accepts a mebibyte. */
export const eventBytesMax = 1_000_000
/** Characters of an address in a breadcrumb, a frame or a request. */
export const addressCharactersMax = 2048
