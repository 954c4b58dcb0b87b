import { sql } from 'kysely'
import type { Viewer } from '#domain/access.ts'
import { refuse } from '#domain/errors.ts'
import type { Interactive } from '#domain/interactive/rules.ts'
import type { TicketCommand } from '#domain/ticket/decide.ts'
import type { Content, Quote, TemplateSent } from '#domain/ticket/events.ts'
import { threadOf } from '#projections/message/read.ts'
import { asQuoted } from '../channels/earlier.ts'
import { idFrom } from '../eventlog/facts.ts'
import { isAdmin, stamp } from '../ticket/sight.ts'
import type { Deps } from '../ticket/tell.ts'
import { externalIdFrom } from './external-id.ts'

export type Options = {
  private: boolean
  forwarded: boolean
  seen: number | null
  anyway: boolean
  aside?: true
  again?: number
  template?: TemplateSent
  interactive?: Interactive
}

export const clientIdOf = ({ id }: Viewer, ticketId: number, commandId: string) => idFrom(`${id}/${ticketId}/${commandId}`)

/** What a viewer quotes may stand in an earlier ticket, where the conversation shows it (A-VIS-02): its words go along. */
async function quoteIn(db: Deps['db'], viewer: Viewer, ticketId: number, quotedId: number | null): Promise<{ quote?: Quote }> {
  if (quotedId === null) return {}
  const { rows } = await sql<{ ticketId: number }>`
    select m.ticket_id from message m where m.id = ${quotedId} and m.ticket_id <> ${ticketId} and m.ticket_id in ${threadOf(viewer, ticketId)}`.execute(
    db,
  )
  const earlier = rows.length > 0 ? await asQuoted(db, viewer.companyId, quotedId) : null
  return earlier ? { quote: earlier.quote } : {}
}

/** Asks a ticket to send; the same client id again answers with the message it became. */
export async function sendInto(
  { ask, nextMessageId, db }: Pick<Deps, 'ask' | 'nextMessageId' | 'db'>,
  viewer: Viewer,
  ticketId: number,
  content: Omit<Content, 'messageId'>,
  options: Options,
  commandId: string,
) {
  const clientId = clientIdOf(viewer, ticketId, commandId)
  const command: TicketCommand = {
    ...{ type: 'Send', clientId, externalId: externalIdFrom(clientId), messageId: await nextMessageId(), admin: isAdmin(viewer) },
    ...content,
    ...(await quoteIn(db, viewer, ticketId, content.quotedId)),
    ...options,
  }
  const asked = await ask(ticketId, { ...command, ...stamp(viewer) }, clientId)
  const { state: ticket } = asked
  const became = 'spent' in ticket ? (ticket.messages.get(options.again ?? 0)?.sentAgain ?? undefined) : undefined
  const messageId = ('spent' in ticket ? ticket.spent.get(clientId) : undefined) ?? became
  return { messageId: messageId ?? refuse('ERR_CREATING_MESSAGE'), asked }
}
