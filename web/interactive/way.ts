import { useAtomValue } from 'jotai'
import type { AnsweringWay } from '#domain/channel/rules.ts'
import type { TicketRow } from '#domain/ticket/contract.ts'
import { connectionChoices } from '#web/ticket/choices.ts'

/** How messages of a ticket are sent under the current settings of its connection. */
export function useWay({ whatsappId, isGroup: group }: Pick<TicketRow, 'whatsappId' | 'isGroup'>): AnsweringWay {
  const by = useAtomValue(connectionChoices.all).find(({ id }) => id === whatsappId)
  return { channel: by?.channel ?? 'whatsapp', group, provider: by?.provider ?? '', enabled: by?.interactiveMessages !== 'disabled' }
}
