import type { Kysely } from 'kysely'
import type { Viewer } from '#domain/access.ts'
import { pageSize } from '#domain/answers.ts'
import { canSee } from '#domain/ticket/topic.ts'
import type { Database } from '../database.ts'
import { maskFor, whereVisibleTo } from './read.ts'
import { ticketsById } from './rows.ts'

/** The maximum count. */
const most = 10_000
const opened = ['open', 'group'] as const

/**
 * The viewer's tickets with unread messages, or handed over and not opened. If the company wants it, also unread waiting
 * tickets without an agent (A-RT-06). The parts are a union, because each has its own index.
 */
function counted(db: Kysely<Database>, viewer: Viewer, waiting: boolean) {
  const seen = db.selectFrom('ticket').select(['ticket.id', 'ticket.updatedAt']).where(whereVisibleTo(viewer, 'ticket'))
  const unread = seen
    .where('ticket.unreadMessages', '>', 0)
    .where('ticket.status', 'in', [...opened, 'pending'])
    .where((eb) => {
      const isOwn = eb('ticket.userId', '=', viewer.id)
      return waiting ? eb.or([isOwn, eb('ticket.status', '=', 'pending').and('ticket.userId', 'is', null)]) : isOwn
    })
  const handedOver = seen
    .where('ticket.userId', '=', viewer.id)
    .where('ticket.status', 'in', opened)
    .where('ticket.transfer', 'is not', null)
  return db.selectFrom(unread.union(handedOver).as('one')).select('one.id').orderBy('one.updatedAt', 'desc').orderBy('one.id', 'desc')
}

export async function unreadTickets(db: Kysely<Database>, viewer: Viewer, waiting: boolean): Promise<number[]> {
  return (await counted(db, viewer, waiting).limit(most).execute()).map(({ id }) => id)
}

/** A page of the same tickets as rows. */
export async function notifiedTickets(db: Kysely<Database>, viewer: Viewer, waiting: boolean, pageNumber: number) {
  const page = counted(db, viewer, waiting)
    .limit(pageSize + 1)
    .offset((pageNumber - 1) * pageSize)
  const found = (await page.execute()).map(({ id }) => id)
  const rows = new Map((await ticketsById(db, found.slice(0, pageSize))).map((row) => [row.id, row]))
  const tickets = found.flatMap((id) => rows.get(id) ?? []).filter((row) => canSee(viewer, row)) // a row may have changed since
  return { tickets: tickets.map((row) => maskFor(viewer, row)), hasMore: found.length > pageSize }
}
