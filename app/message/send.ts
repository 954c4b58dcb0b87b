import { sql } from 'kysely'
import type { Viewer } from '#domain/access.ts'
import type { Upload } from '#domain/contract.ts'
import { Refusal, refuse } from '#domain/errors.ts'
import type { Interactive } from '#domain/interactive/rules.ts'
import { mayAnswer } from '#domain/ticket/conversation.ts'
import type { TicketCommand } from '#domain/ticket/decide.ts'
import type { Content, Quote, TemplateSent } from '#domain/ticket/events.ts'
import { threadOf } from '#projections/message/read.ts'
import { idFrom } from '../event-store/event-codec.ts'
import type { UploadLimits } from '../http/uploads.ts'
import { asQuoted } from '../inbound/quoted-message.ts'
import type { MediaStore, StoredFile } from '../storage/media.ts'
import type { Deps } from '../ticket/execute.ts'
import { findVisibleTicket, isAdmin, toCommandMetadata } from '../ticket/visibility.ts'
import { externalIdFrom } from './external-id.ts'

export type Options = {
  private: boolean
  forwarded: boolean
  seen: number | null
  anyway: boolean
  aside?: true
  again?: number
  /** The provider id of the earlier attempt, if it must be kept. */
  externalId?: string | undefined
  template?: TemplateSent
  interactive?: Interactive
}

type UploadDeps = Pick<Deps, 'db' | 'load'> & { media: MediaStore }
export const clientIdOf = ({ id }: Viewer, ticketId: number, commandId: string) => idFrom(`${id}/${ticketId}/${commandId}`)

/** A quoted message may be in an earlier ticket that the conversation shows (A-VIS-02). Its text is copied. */
async function quoteIn(db: Deps['db'], viewer: Viewer, ticketId: number, quotedId: number | null): Promise<{ quote?: Quote }> {
  if (quotedId === null) return {}
  const { rows } = await sql<{ ticketId: number }>`
    select m.ticket_id from message m where m.id = ${quotedId} and m.ticket_id <> ${ticketId} and m.ticket_id in ${threadOf(viewer, ticketId)}`.execute(
    db,
  )
  const earlier = rows.length > 0 ? await asQuoted(db, viewer.companyId, quotedId) : null
  return earlier ? { quote: earlier.quote } : {}
}

/**
 * Checks before a file is read: the viewer may answer the ticket, and the quota has room. A repeated call
 * only returns its earlier answer.
 */
export async function uploadLimitsFor(
  viewer: Viewer,
  ticketId: number,
  commandId: string,
  { db, load, media }: UploadDeps,
): Promise<UploadLimits> {
  const { id } = await findVisibleTicket(db, viewer, ticketId)
  const clientId = clientIdOf(viewer, id, commandId)
  const ticket = await load(viewer.companyId, id, { ids: [clientId] })
  if (ticket.status === 'absent' || ticket.status === 'deleted') refuse('ERR_NO_TICKET_FOUND')
  if (ticket.usedIds.has(clientId)) return {}
  mayAnswer(ticket, toCommandMetadata(viewer).by, isAdmin(viewer))
  return { room: await media.room(viewer.companyId) }
}
/**
 * Reserves the file of a message until the message is stored. After a refusal it is removed. After any other
 * error the sweep decides.
 */
export async function withUploadedFile<T>(
  { companyId }: Viewer,
  ticketId: number,
  [file, ...more]: Upload[],
  fits: (file: StoredFile) => void,
  act: (file: StoredFile | null) => Promise<T>,
  { media }: Pick<UploadDeps, 'media'>,
): Promise<T> {
  if (more.length > 0) refuse('ERR_INVALID_INPUT', { field: more[0]!.field })
  if (!file) return act(null)
  const stored = await media.store(companyId, file, { ticketId })
  const uploadHold = { id: stored.hold, companyId, key: stored.media.key }
  try {
    fits(stored)
    const answer = await act(stored)
    await media.settle(uploadHold)
    return answer
  } catch (error) {
    if (error instanceof Refusal && error.status < 500) await media.release(uploadHold)
    throw error
  }
}

/** Executes `Send`. A repeated client id returns the message of the first call. */
export async function executeSend(
  { execute, nextMessageId, db }: Pick<Deps, 'execute' | 'nextMessageId' | 'db'>,
  viewer: Viewer,
  ticketId: number,
  content: Omit<Content, 'messageId'>,
  options: Options,
  commandId: string,
) {
  const clientId = clientIdOf(viewer, ticketId, commandId)
  const { externalId = externalIdFrom(clientId), ...how } = options
  const command: TicketCommand = {
    ...{ type: 'Send', clientId, externalId, messageId: await nextMessageId(), admin: isAdmin(viewer) },
    ...content,
    ...(await quoteIn(db, viewer, ticketId, content.quotedId)),
    ...how,
  }
  const result = await execute(ticketId, { ...command, ...toCommandMetadata(viewer) }, clientId)
  const { state: ticket } = result
  const became = 'usedIds' in ticket ? (ticket.messages.get(options.again ?? 0)?.sentAgain ?? undefined) : undefined
  const messageId = ('usedIds' in ticket ? ticket.usedIds.get(clientId) : undefined) ?? became
  return { messageId: messageId ?? refuse('ERR_CREATING_MESSAGE'), result }
}
