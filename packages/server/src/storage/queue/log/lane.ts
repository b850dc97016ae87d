/**
 * Lanes: the queue tells projects apart by them. Ids of projects are given one after the other, so each
 * of the first 1024 projects has a lane for itself; beyond that some share one, and its turns. Cursors
 * and blocks name lanes by number: another count would need another version of both.
 */
export const laneCount = 1024

/** Returns the lane of a project; one lane for ids that no project has. */
export function laneOf(projectId: number): number {
  return Number.isSafeInteger(projectId) ? Math.abs(projectId) % laneCount : 0
}
