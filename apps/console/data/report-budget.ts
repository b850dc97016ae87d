/** Reports of one page, or of the server, per minute: a constant failure adds nothing new. */
const REPORTS_PER_MINUTE_MAX = 30

/** Returns a function that tells whether a report is still within the budget; times are ms. */
export function createReportBudget(): (now: number) => boolean {
  let minute = 0
  let count = 0
  return (now) => {
    const current = Math.floor(now / 60_000)
    if (current !== minute) {
      minute = current
      count = 0
    }
    count += 1
    return count <= REPORTS_PER_MINUTE_MAX
  }
}
