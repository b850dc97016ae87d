import { join } from 'node:path'
import type { QueueStats } from '../port.ts'
import { Backlog } from './backlog.ts'
import { loadCursor } from './cursor.ts'
import { countSetAside } from './set-aside.ts'

/** Measures the backlog of a queue from its files, in a process that neither writes nor reads it. */
export function measureLogQueue(folder: string): () => Promise<QueueStats> {
  const backlog = new Backlog(join(folder, 'log'))
  return async () => ({
    ...(await backlog.measure(await loadCursor(folder))),
    setAside: await countSetAside(join(folder, 'set-aside')),
  })
}
