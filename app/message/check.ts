import { refuse } from '#domain/errors.ts'
import type { MessageRow } from '#domain/message/contract.ts'
import type { TicketSummary } from '#projections/ticket/read.ts'
import { type Checked, PermanentChannelError, TransientChannelError } from '../channels/channel.ts'
import { driverOf } from '../channels/providers.ts'
import type { AppContext } from '../context.ts'
import { accepted } from '../inbound/delivery-receipts.ts'
import type { Deps as AtMeta } from '../meta/calling.ts'
import { fillPlaceholders, target, targetOf } from '../outbound/recipient.ts'

export type Checking = AtMeta & Pick<AppContext, 'execute' | 'eventStore'>
type Of = { message: MessageRow; ticket: TicketSummary }
/**
 * Asks the channel about a message whose answer was lost. A message that the channel has is no longer
 * uncertain.
 */
export async function checkDelivery({ message, ticket }: Of, deps: Checking): Promise<{ outcome: Checked['is'] }> {
  const { id: messageId, body, createdAt, mediaType, revision } = message
  if (!message.fromMe || message.isDeleted) refuse('ERR_FETCH_WAPP_MSG')
  if (!message.uncertain) return { outcome: message.ack > 0 ? 'arrived' : 'unknown' }
  const sent = deps.db.selectFrom('outbox').selectAll().where('messageId', '=', messageId).where('kind', '=', 'send')
  const row = (await sent.executeTakeFirst()) ?? refuse('ERR_FETCH_WAPP_MSG')
  const current = await target(row, deps.db)
  const found = current && (await targetOf(row, { revision, at: createdAt }, current, deps.eventStore))
  const check = found && driverOf(found.provider, deps.config)?.check?.(deps)
  if (!found || !check || ticket.isGroup) return { outcome: 'unknown' }
  const words = mediaType === 'chat' ? fillPlaceholders(body, found.names, message.user !== null) : ''
  const outcome = await check(found.to, { externalId: row.externalId, body: words, since: createdAt }).catch((error: unknown) => {
    if (error instanceof TransientChannelError || error instanceof PermanentChannelError) refuse('ERR_CHANNEL_AWAY')
    throw error
  })
  if (outcome.is === 'arrived') await accepted(row, outcome.providerId, deps)
  return { outcome: outcome.is }
}
