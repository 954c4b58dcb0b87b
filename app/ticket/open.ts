import type { Kysely } from 'kysely'
import type { Viewer } from '#domain/access.ts'
import { networkOf } from '#domain/contact/rules.ts'
import { refuse } from '#domain/errors.ts'
import type { tickets } from '#domain/ticket/contract.ts'
import type { Database } from '#projections/database.ts'
import { idFrom } from '../event-store/event-codec.ts'
import type { Handlers } from '../http/serve.ts'
import { waitUntilVisible } from '../projection/wait-for-projection.ts'
import type { ConversationKey } from './active-ticket-registry.ts'
import { type Deps, queueOf, servesQueue, toTicketResponse, userOf } from './execute.ts'
import { isAdmin, refuseConversationTaken, toCommandMetadata } from './visibility.ts'

/** A-TICKET-01, A-TICKET-02. */
export const open =
  (deps: Deps): Handlers<typeof tickets>['open'] =>
  async ({ viewer, body, commandId }) => {
    const { db, execute, activeTickets, waitForProjection } = deps
    const { companyId } = viewer
    await waitForProjection(await deps.readHeadPosition()) // so that a repeated call finds the ticket that it opened before
    const uuidOfCall = idFrom(`${companyId}/${viewer.id}/${commandId}/ticket/${body.contactId}/${body.whatsappId ?? ''}`)
    const before = await findByUuid(db, companyId, uuidOfCall)
    if (before) return toTicketResponse(deps, viewer, before.id)
    const contact =
      (await db
        .selectFrom('contact')
        .select(['id', 'number', 'channel', 'isGroup', 'active', 'whatsappId', 'validNumber'])
        .where('id', '=', body.contactId)
        .where('companyId', '=', companyId)
        .where('deletedAt', 'is', null)
        .where('mergedIntoId', 'is', null)
        .executeTakeFirst()) ?? refuse('ERR_NO_CONTACT_FOUND')
    if (!contact.active) refuse('ERR_CREATING_TICKET')
    if (!contact.validNumber) refuse('ERR_WAPP_INVALID_CONTACT')
    const connection = await connectionFor(db, viewer, body.whatsappId ?? null, contact)
    const queueId = body.queueId ?? null
    if (queueId !== null) await queueOf(deps, viewer, queueId)
    const userId = body.status === 'pending' ? null : (body.userId ?? viewer.id)
    const forOther = userId !== null && userId !== viewer.id
    if (forOther && !isAdmin(viewer)) refuse('ERR_NO_PERMISSION')
    const server = forOther ? await userOf(deps, viewer, userId) : viewer
    if (userId !== null && queueId === null) refuse('ERR_QUEUE_REQUIRED')
    if (queueId !== null && !(await servesQueue(deps, server, queueId))) refuse('ERR_NO_PERMISSION/queue')
    const conversation = { companyId, connectionId: connection.id, contactId: contact.id }
    await closeQuestionTicket(deps, viewer, conversation, commandId)
    const { ticketId, uuid } = await activeTickets.claimForOpening(conversation, uuidOfCall)
    const opening = {
      ticketId,
      uuid,
      contactId: contact.id,
      connectionId: connection.id,
      channel: connection.channel,
      group: contact.isGroup,
      queueId,
      predecessorId: null,
    }
    const result = await execute(ticketId, { type: 'Open', userId, ...opening, ...toCommandMetadata(viewer) }, commandId)
    if (result.events.length === 0 && !result.isDuplicate) return refuseConversationTaken(deps, companyId, { id: ticketId, uuid })
    await waitUntilVisible(waitForProjection, result, [ticketId])
    return toTicketResponse(deps, viewer, ticketId)
  }

/** Closes a ticket that only waits for consent or a rating, so that another one can be opened (A-TICKET-01). */
async function closeQuestionTicket(
  { execute, load, activeTickets }: Deps,
  viewer: Viewer,
  conversation: ConversationKey,
  commandId: string,
): Promise<void> {
  const current = await activeTickets.findHolder(conversation)
  const status = current && (await load(conversation.companyId, current.ticketId)).status
  if (!current || (status !== 'lgpd' && status !== 'nps')) return
  const close = { type: 'Close', reason: 'agent', farewell: false, mayCloseWaiting: true, tagMissing: false } as const
  await execute(current.ticketId, { ...close, ...toCommandMetadata(viewer) }, `${commandId}/end`)
}

/** Finds a ticket by its uuid, even after its deletion. */
const findByUuid = (db: Kysely<Database>, companyId: number, uuid: string) =>
  db.selectFrom('ticketHistory').select('id').where('companyId', '=', companyId).where('uuid', '=', uuid).executeTakeFirst()

type Contact = { channel: string; whatsappId: number | null }
/**
 * Returns the requested connection, otherwise the user's, otherwise the company's default (A-TICKET-01). If
 * neither is on the contact's network: the connection that the contact used, otherwise the first one that
 * fits.
 */
async function connectionFor(db: Kysely<Database>, { companyId, id }: Viewer, whatsappId: number | null, contact: Contact) {
  const mine = db.selectFrom('connection').select(['id', 'channel', 'isDefault']).where('companyId', '=', companyId)
  const fits = ({ channel }: { channel: string }) => networkOf(channel) === networkOf(contact.channel)
  if (whatsappId !== null) {
    const named = (await mine.where('id', '=', whatsappId).executeTakeFirst()) ?? refuse('ERR_NO_WAPP_FOUND')
    return fits(named) ? named : refuse('ERR_OTHER_CHANNEL')
  }
  const all = await mine.orderBy('id').execute()
  const user = await db.selectFrom('user').select('whatsappId').where('id', '=', id).executeTakeFirst()
  const chosen = [user?.whatsappId, all.find(({ isDefault }) => isDefault)?.id].flatMap((id) => all.filter((one) => one.id === id))
  if (chosen.length === 0) refuse('ERR_NO_DEF_WAPP_FOUND')
  const came = all.filter((one) => one.id === contact.whatsappId)
  return [...chosen, ...came, ...all].find(fits) ?? refuse('ERR_OTHER_CHANNEL')
}
