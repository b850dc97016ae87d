import { lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

/** Bytes that a folder's files take on the disk (blocks, not lengths). */
export function diskUse(path: string): number {
  const stat = lstatSync(path)
  if (!stat.isDirectory()) return stat.blocks * 512
  return readdirSync(path).reduce((sum, name) => sum + diskUse(join(path, name)), 0)
}
