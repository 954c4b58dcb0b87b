import { existsSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import path from 'node:path'
import { Unavailable } from '../event-store/event-store.ts'

/** With less, the largest customer file cannot be stored, and the embedded Postgres soon fails. */
export const minimumFreeBytes = 100e6

/** Free bytes and size of the disk of a folder. A folder that does not exist yet is on the disk of its parent. */
export async function readDiskSpace(folder: string): Promise<{ free: number; size: number }> {
  let place = path.resolve(folder)
  while (!existsSync(place) && path.dirname(place) !== place) place = path.dirname(place)
  const { bavail, blocks, bsize } = await statfs(place)
  return { free: bavail * bsize, size: blocks * bsize }
}

/** Rejects if the disk of the folder has less than that many free bytes. A file system without a size has no limit. */
export async function assertDiskSpace(folder: string, minimum = minimumFreeBytes): Promise<void> {
  const { free, size } = await readDiskSpace(folder)
  if (size > 0 && free < minimum) throw new Unavailable(`The disk of ${folder} is full: ${Math.floor(free / 1e6)} MB are free`)
}
