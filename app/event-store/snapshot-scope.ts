import { createHmac } from 'node:crypto'
import { type RawBuilder, sql } from 'kysely'
import type { EventMacKey } from '#app/crypto/event-mac-keys.ts'
import { secretKey } from '#app/crypto/key-object.ts'

export type SnapshotStream = { companyId: number; stream: string }
/** Selects and signs the rows that one version of the fold has stored for a stream. */
export type SnapshotScope = {
  fold: number
  rowsOf: (of: SnapshotStream) => RawBuilder<boolean>
  sign: (kind: string, of: SnapshotStream, ...fields: (string | number | boolean | null)[]) => string
}

export const snapshotScope = ({ key }: EventMacKey, fold: number): SnapshotScope => ({
  fold,
  rowsOf: ({ stream }) => sql<boolean>`stream = ${stream} and fold = ${fold}`,
  sign: (kind, { stream }, ...fields) =>
    createHmac('sha256', secretKey(key))
      .update(JSON.stringify([kind, stream, fold, ...fields]))
      .digest('hex'),
})

/** Rows per slice. Signing blocks the event loop, so other requests are served between the slices. */
const sliceSize = 500
export const slices = <T>(list: T[]): T[][] =>
  Array.from({ length: Math.ceil(list.length / sliceSize) }, (_, i) => list.slice(i * sliceSize, (i + 1) * sliceSize))
