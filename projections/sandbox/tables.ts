import type { Generated, JSONColumnType } from 'kysely'
import type { Interactive } from '#domain/interactive/rules.ts'
import type { Media } from '#domain/ticket/events.ts'

export interface SandboxMessageTable {
  n: Generated<number>
  companyId: number
  connectionId: number
  id: string
  phone: string
  fromPhone: boolean
  author: string | null
  kind: string
  body: string
  media: JSONColumnType<Media | null, string | null, string | null>
  interactive: JSONColumnType<Interactive | null, string | null | undefined, string | null>
  quotedId: string | null
  mark: Generated<string>
  ours: string | null
  theirs: string | null
  removed: Generated<boolean>
  edited: Generated<boolean>
  at: Generated<string>
}
export interface SandboxFaultTable {
  connectionId: number
  companyId: number
  loseAnswers: Generated<boolean>
  delayMs: Generated<number>
  failCode: string | null
  /** Postpones sends by this time. */
  laterMs: Generated<number | null>
  /** The error code arrives after the send was accepted. */
  afterwards: Generated<boolean>
  duplicate: Generated<boolean>
  remaining: number
}

/** The offset of the simulated clock: one row. */
export interface SimulatedClockTable {
  id: Generated<number>
  offsetMs: number
  commandId: string | null
}
