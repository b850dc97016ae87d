/**
 * Lanes by which the queue tells projects apart. Ids of projects are consecutive, so each of the
 * first 1024 projects has a lane of its own; later ones share lanes, and turns. Cursors and blocks
 * name lanes by number: another count would need another version of both.
 */
export const laneCount = 1024

/** Returns the lane of a project; ids that no project has share one. */
export function laneOf(projectId: number): number {
  return Number.isSafeInteger(projectId) ? Math.abs(projectId) % laneCount : 0
}
