import type { HistoryRow } from '#domain/history/contract.ts'
import type { MessageRow } from '#domain/message/contract.ts'
import type { TicketRow } from '#domain/ticket/contract.ts'
import type { ContactRow } from './contract.ts'
import { masked, maskedName } from './phone.ts'

/* All that whoever must not see numbers reads otherwise (A-LGPD-04): the number, and any name that is one. */

type Party = { name: string; number: string }
/** A group's id is nobody's number, but for the older ones, which begin with that of who made it. */
const veilParty = <P extends Party>(party: P, isGroup: boolean): P => ({
  ...party,
  name: maskedName(party.name),
  number: isGroup && !/^\d+-\d/.test(party.number) ? party.number : masked(party.number),
})
const veilNamed = <N extends { name: string }>(named: N | null): N | null => named && { ...named, name: maskedName(named.name) }

export const veilContact = (row: ContactRow): ContactRow => veilParty(row, row.isGroup)

/** Who is mentioned in a group and has no name stands there by their number. */
const veilMentions = (text: string): string => text.replace(/(?<=@)\d{8,15}\b/g, masked)
export const veilTicket = (row: TicketRow): TicketRow => ({
  ...row,
  contact: veilParty(row.contact, row.isGroup),
  lastMessage: veilMentions(row.lastMessage),
  lastMessageSender: row.lastMessageSender === null ? null : maskedName(row.lastMessageSender),
})

export const veilMessage = (row: MessageRow): MessageRow => ({
  ...row,
  contact: veilNamed(row.contact),
  reactions: row.reactions.map((one) => ({ ...one, name: one.name && maskedName(one.name) })),
  body: veilMentions(row.body),
  quotedMsg: row.quotedMsg && { ...row.quotedMsg, body: veilMentions(row.quotedMsg.body), contact: veilNamed(row.quotedMsg.contact) },
})

export const veilHistory = <R extends { contact: HistoryRow['contact']; isGroup: boolean }>(row: R): R => ({
  ...row,
  contact: veilParty(row.contact, row.isGroup),
})

/** What a fact tells of who wrote: a provider's id of a person is their number. */
export function veilFact<D extends Record<string, unknown>>(data: D): D {
  const { participant, senderName, body } = data as { participant?: unknown; senderName?: unknown; body?: unknown }
  return {
    ...data,
    ...(isParticipant(participant) && { participant: { ...participant, id: masked(participant.id), name: maskedName(participant.name) } }),
    ...(typeof senderName === 'string' && { senderName: maskedName(senderName) }),
    ...(typeof body === 'string' && { body: veilMentions(body) }),
  }
}
const isParticipant = (value: unknown): value is { id: string; name: string } =>
  typeof (value as Record<string, unknown> | null)?.id === 'string' && typeof (value as Record<string, unknown>).name === 'string'
