/** Reports of one page, or of the server, within a minute: what fails all the time says nothing new. */
const REPORTS_PER_MINUTE_MAX = 30

/** Says of each report whether it is still within the budget; times are ms. */
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
