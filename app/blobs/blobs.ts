import type { Readable } from 'node:stream'

/** The first and the last byte that are wanted. */
export type Range = { start: number; end: number }
/** A file on this machine that is taken over: it is gone from where it was. */
export type Taken = { path: string; size: number; mime: string }

/** Where the bytes of messages lie, under keys such as `1/ab/abcd…`. What is there is there whole. */
export type Blobs = {
  /** Makes the place that holds them, where there is none yet. */
  open: () => Promise<void>
  put: (key: string, file: Taken) => Promise<void>
  /** null: there is none. */
  read: (key: string, range?: Range) => Promise<Readable | null>
  stat: (key: string) => Promise<{ size: number } | null>
  /** Nothing, where there is none. */
  remove: (key: string) => Promise<void>
  list: (prefix?: string) => AsyncGenerator<{ key: string; size: number }>
  /** Whether there is a place at all that could hold some. */
  exists: () => Promise<boolean>
}
