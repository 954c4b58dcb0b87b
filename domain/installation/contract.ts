import type { Static } from 'typebox'
import * as Type from 'typebox'
import { anyAdmin } from '#domain/access.ts'
import { get, Nullable } from '#domain/contract.ts'

/** Stores whose outage admins see; without the others no call answers. */
export const reportedStores = ['Redis', 'Disk', 'S3'] as const

/** What the processes of this server do and lack, as far as admins must know. */
export const Installation = Type.Object({
  /** Roles that no process runs. `worker`: nothing is received or sent. `projector`: lists and tickets show old data. */
  missingRoles: Type.Array(Type.Enum(['projector', 'worker'])),
  /** Stores that are down. `Redis`: jobs wait, such as bulk operations and mails. `Disk`: no file can be stored. `S3`: no file can be stored or shown. */
  unavailable: Type.Array(Type.Enum([...reportedStores])),
  /** The address that links in mails begin with, as the operator set it in PUBLIC_URL; null: it is not set. */
  publicUrl: Nullable(Type.String()),
  /** The address that links begin with otherwise. It may be reachable from the server only. */
  localUrl: Type.String(),
})
export type Installation = Static<typeof Installation>

export const installation = {
  show: get('/installation', {
    may: anyAdmin,
    summary: 'Reports which roles of the server no process runs, which stores are down, and which address links in mails begin with.',
    answer: Installation,
  }),
}
