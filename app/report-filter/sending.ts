import { seesDashboard } from '#domain/access.ts'
import { minuteMs } from '#domain/duration/rules.ts'
import { Refusal } from '#domain/errors.ts'
import { maySeeFilter, type SavedFilter } from '#domain/report-filter/contract.ts'
import { mostAttempts } from '#domain/report-filter/rules.ts'
import type { ReportMailState } from '#projections/report-filter/tables.ts'
import type { AppContext } from '../context.ts'
import { sendMail } from '../mail/send.ts'
import { account } from '../session/viewers.ts'
import { letterTo } from './letter.ts'

/** A claim without a result for this long belongs to a process that ended. */
const claimMs = 10 * minuteMs

export type SendingDeps = Pick<AppContext, 'db' | 'clock' | 'config' | 'companySettingStore' | 'logger'>
export type Sending = {
  filter: { id: number; companyId: number; userId: number; name: string; filter: SavedFilter; shared: boolean }
  userId: number
  /** Null: a test mail. */
  dueDay: string | null
  first: string
  last: string
  late: boolean
}

/**
 * Sends one recipient's mail at most once: the claim is stored before the mail goes out, and the result after. If the process ends between
 * both, the mail counts as uncertain and is not sent again. Throws the refusal of the mail server of a test mail.
 */
export async function sendReport(deps: SendingDeps, of: Sending): Promise<void> {
  const { db, clock, logger } = deps
  if (of.dueDay !== null && (await isDone(deps, of))) return
  const found = await account(db, clock, of.userId)
  const mayGet =
    found?.company.status &&
    found.viewer.companyId === of.filter.companyId &&
    seesDashboard(found.viewer) === null &&
    (of.dueDay !== null || maySeeFilter(found.viewer, of.filter))
  if (!found || !mayGet) return void (await claim(deps, of, 'skipped', found === null ? 'ERR_NO_USER_FOUND' : 'ERR_NO_PERMISSION'))
  const { user, viewer } = found
  const { mail, rows, withFile } = await letterTo(deps, viewer, user.language, of.filter, of)
  const claimed = await claim(deps, of, 'sending', null)
  if (!claimed) return
  const end = (state: ReportMailState, more: { reason: string | null; rows?: number; withFile?: boolean }) =>
    db
      .updateTable('reportMail')
      .set({ state, ...more, endedAt: clock.iso() })
      .where('id', '=', claimed.id)
      .execute()
  try {
    const messageId = of.dueDay === null ? {} : { messageId: `<report.${of.filter.id}.${of.dueDay}.${of.userId}@guiche>` }
    await sendMail(deps, { to: user.email, ...mail, ...messageId })
  } catch (error) {
    const reason = error instanceof Refusal ? error.code : 'ERR_INTERNAL'
    const state = of.dueDay !== null && claimed.attempts < mostAttempts ? 'waiting' : 'failed'
    await end(state, { reason })
    logger.warn({ filterId: of.filter.id, userId: of.userId, code: reason, state }, 'Report mail failed')
    if (of.dueDay === null) throw error
    return
  }
  await end('sent', { reason: null, rows, withFile })
}

/** Whether this recipient's mail needs nothing more, or another process sends it now. */
async function isDone({ db, clock }: SendingDeps, { filter, userId, dueDay }: Sending): Promise<boolean> {
  const own = db.selectFrom('reportMail').select(['id', 'state', 'beganAt']).where('filterId', '=', filter.id).where('userId', '=', userId)
  const row = await own.where('dueDay', '=', dueDay).executeTakeFirst()
  if (row?.state === 'sending' && Date.parse(row.beganAt) <= clock.now() - claimMs)
    await db
      .updateTable('reportMail')
      .set({ state: 'uncertain', endedAt: clock.iso() })
      .where('id', '=', row.id)
      .where('state', '=', 'sending')
      .execute()
  return row !== undefined && row.state !== 'waiting'
}

/** Stores the claim; undefined: another process has claimed it. */
function claim({ db, clock }: SendingDeps, of: Sending, state: ReportMailState, reason: string | null) {
  const { filter, userId, dueDay, first: firstDay, last: lastDay, late } = of
  const ended = { reason, endedAt: state === 'sending' ? null : clock.iso() }
  const row = { companyId: filter.companyId, filterId: filter.id, userId, dueDay, firstDay, lastDay, late, rows: null, ...ended }
  return db
    .insertInto('reportMail')
    .values({ ...row, state, attempts: 1, beganAt: clock.iso() })
    .onConflict((known) =>
      known
        .columns(['filterId', 'dueDay', 'userId'])
        .doUpdateSet((eb) => ({ ...ended, state, late, beganAt: clock.iso(), attempts: eb('reportMail.attempts', '+', 1) }))
        .where('reportMail.state', '=', 'waiting'),
    )
    .returning(['id', 'attempts'])
    .executeTakeFirst()
}
