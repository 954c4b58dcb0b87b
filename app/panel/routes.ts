import type { Viewer } from '#domain/access.ts'
import { maskedName } from '#domain/contact/phone.ts'
import { ids } from '#domain/contract.ts'
import { dayMs } from '#domain/duration/rules.ts'
import { type panel, panelDays, panelPage } from '#domain/panel/contract.ts'
import { dayRange } from '#domain/report/days.ts'
import { pastMoment } from '#domain/report/moments.ts'
import type { TicketRow } from '#domain/ticket/contract.ts'
import { canSee } from '#domain/ticket/topic.ts'
import { ticketsAt } from '#projections/report/moment.ts'
import { filtersOf, within } from '#projections/report/range.ts'
import { maskFor } from '#projections/ticket/read.ts'
import { ticketsById } from '#projections/ticket/rows.ts'
import type { AppContext } from '../context.ts'
import type { Handlers } from '../http/serve.ts'

type Status = TicketRow['status']
type Asked = { statuses: Status[]; queueIds?: number[]; userId?: number | undefined; from: string; to?: string; pageNumber: number }

export function panelRoutes({ db, clock }: Pick<AppContext, 'db' | 'clock'>): Handlers<typeof panel> {
  const earliest = () => new Date(clock.now() - panelDays * dayMs).toISOString()

  async function list(viewer: Viewer, { statuses, queueIds = [], userId, from, to, pageNumber }: Asked) {
    let found = db.selectFrom('ticket').select('id').where('companyId', '=', viewer.companyId)
    found = found.where(within(viewer.reportQueueIds)).where('status', 'in', statuses).where('updatedAt', '>=', from)
    if (to !== undefined) found = found.where('updatedAt', '<', to)
    if (queueIds.length > 0) found = found.where('queueId', 'in', queueIds)
    if (userId !== undefined) found = found.where('userId', '=', userId)
    const page = found.orderBy('updatedAt', 'desc').orderBy('id', 'desc')
    const rows = await page
      .offset((pageNumber - 1) * panelPage)
      .limit(panelPage + 1)
      .execute()
    const shown = rows.slice(0, panelPage).map(({ id }) => id)
    const tickets = shown.length > 0 ? await ticketsById(db, shown) : []
    return { tickets: tickets.map((row) => shownTo(viewer, row)), hasMore: rows.length > panelPage }
  }

  return {
    moments: ({ viewer, query: { pageNumber = 1 } }) => list(viewer, { statuses: ['open', 'pending'], from: earliest(), pageNumber }),
    async filtered({ viewer, query: { status, queueIds, userId, dateStart, dateEnd, pageNumber = 1 } }) {
      const statuses = statusesIn(status)
      const since = earliest()
      const of = { statuses, queueIds: ids(queueIds), userId, pageNumber }
      if (dateStart === undefined && dateEnd === undefined) return list(viewer, { ...of, from: since })
      const { from, to } = dayRange(viewer.timeZone, clock.now(), dateStart, dateEnd)
      return list(viewer, { ...of, from: from < since ? since : from, to })
    },
    async at({ viewer, query: { moment, queueIds, users, pageNumber = 1 } }) {
      const { companyId, masked } = viewer
      const filters = filtersOf(viewer, { ...(queueIds && { queueIds }), ...(users && { users }) })
      const page = { moment: pastMoment(clock.now(), moment), offset: (pageNumber - 1) * panelPage, limit: panelPage + 1 }
      const rows = await ticketsAt(db, companyId, filters, page)
      const tickets = rows.slice(0, panelPage)
      return {
        tickets: masked ? tickets.map((row) => ({ ...row, contactName: maskedName(row.contactName) })) : tickets,
        hasMore: rows.length > panelPage,
      }
    },
  }
}

/** One status or a JSON list of them; without any: waiting and open. */
function statusesIn(text: string | undefined): Status[] {
  const list = text?.startsWith('[') ? (JSON.parse(text) as Status[]) : text ? [text as Status] : []
  return list.length > 0 ? list : ['open', 'pending']
}

/** Masked, and without texts of the conversation and of agents if the viewer may not open the ticket. */
function shownTo(viewer: Viewer, row: TicketRow): TicketRow {
  const masked = maskFor(viewer, row)
  if (canSee(viewer, row)) return masked
  const transfer = row.transfer && { ...row.transfer, note: null }
  return { ...masked, lastMessage: '', lastMessageFile: null, lastMessageSender: null, transfer, msgTransfer: null }
}
