import type { Viewer } from '#domain/access.ts'
import { refuse } from '#domain/errors.ts'
import type { Interactive } from '#domain/interactive/rules.ts'
import type { TicketCommand } from '#domain/ticket/decide.ts'
import type { Content, TemplateSent } from '#domain/ticket/events.ts'
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

/** Asks a ticket to send; the same client id again answers with the message it became. */
export async function sendInto(
  { ask, nextMessageId }: Pick<Deps, 'ask' | 'nextMessageId'>,
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
    ...options,
  }
  const asked = await ask(ticketId, { ...command, ...stamp(viewer) }, clientId)
  const { state: ticket } = asked
  const became = 'spent' in ticket ? (ticket.messages.get(options.again ?? 0)?.sentAgain ?? undefined) : undefined
  const messageId = ('spent' in ticket ? ticket.spent.get(clientId) : undefined) ?? became
  return { messageId: messageId ?? refuse('ERR_CREATING_MESSAGE'), asked }
}
