import type { Generated, JSONColumnType } from 'kysely'
import type { SavedFilter } from '#domain/report-filter/contract.ts'
import type { WeeklyMail } from '#domain/report-filter/rules.ts'

export type ReportFilterTable = {
  id: Generated<number>
  companyId: number
  userId: number
  name: string
  filter: JSONColumnType<SavedFilter, string, string>
  shared: Generated<boolean>
  /** The weekly mail; null: none was set up. */
  mail: JSONColumnType<WeeklyMail, string | null, string | null> | null
  /** The last day on which its mail was due and is settled for all recipients. */
  mailedDay: string | null
  version: Generated<number>
  createdAt: Generated<string>
}

/**
 * `waiting`: it failed and is tried again. `sending`: it is claimed; if the process ends before the result is recorded, `uncertain`
 * follows, and it is not sent again.
 */
export type ReportMailState = 'waiting' | 'sending' | 'sent' | 'uncertain' | 'failed' | 'skipped'
export type ReportMailTable = {
  id: Generated<number>
  companyId: number
  filterId: number
  userId: number
  /** The local day on which it was due; null: a test mail. */
  dueDay: string | null
  /** The days that it covers, both included. */
  firstDay: string
  lastDay: string
  state: ReportMailState
  /** Why it was skipped or failed: an error code. */
  reason: string | null
  rows: number | null
  withFile: Generated<boolean>
  /** Sent after the day on which it was due. */
  late: Generated<boolean>
  attempts: Generated<number>
  beganAt: string
  endedAt: string | null
}
