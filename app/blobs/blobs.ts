import type { Readable } from 'node:stream'

/** The first and the last byte to read. */
export type Range = { start: number; end: number }
/** A local file that `put` moves into the store. */
export type Taken = { path: string; size: number; mime: string }

/** Stores media files under keys such as `1/ab/abcd…`. A stored file is always complete. */
export type Blobs = {
  /** Creates the storage location if it does not exist. */
  open: () => Promise<void>
  put: (key: string, file: Taken) => Promise<void>
  /** null if the file does not exist. */
  read: (key: string, range?: Range) => Promise<Readable | null>
  stat: (key: string) => Promise<{ size: number } | null>
  /** Does nothing if the file does not exist. */
  remove: (key: string) => Promise<void>
  list: (prefix?: string) => AsyncGenerator<{ key: string; size: number }>
  /** True if the storage location exists. */
  exists: () => Promise<boolean>
}
