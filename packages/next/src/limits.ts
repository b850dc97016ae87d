/** Interval and number of looks for the router of the pages mode: half a minute. */
export const routerPollMs = 50
export const routerPollsMax = 600
