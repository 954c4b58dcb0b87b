import type { HistoryRow } from '#domain/history/contract.ts'
import type { MessageRow } from '#domain/message/contract.ts'
import type { TicketReportRow } from '#domain/report/contract.ts'
import type { TicketRow } from '#domain/ticket/contract.ts'
import { cards, writeCard } from '#domain/vcard/rules.ts'
import type { ContactRow } from './contract.ts'
import { masked, maskedName } from './phone.ts'

/* Masks phone numbers, and names that are numbers, for users who must not see them (A-LGPD-04). */

type Party = { name: string; number: string }
/** A group id is not a phone number, except old ones, which begin with the number of the group's creator. */
export const maskParty = <P extends Party>(party: P, isGroup: boolean): P => ({
  ...party,
  name: maskedName(party.name),
  number: isGroup && !/^\d+-\d/.test(party.number) ? party.number : masked(party.number),
})
const maskNamed = <N extends { name: string }>(named: N | null): N | null => named && { ...named, name: maskedName(named.name) }

export const maskContact = (row: ContactRow): ContactRow => maskParty(row, row.isGroup)

/** A mention in a group shows the number of a person without a name, and so does an id of WhatsApp such as 5511…@s.whatsapp.net. */
export const maskMentions = (text: string): string => text.replace(/(?<=@)\d{8,15}\b|(?<![\d.])\d{8,15}(?=@)/g, masked)

/** Masks numbers in any notation, also inside a link. */
const maskNumbers = (text: string): string => text.replace(/\+?\d(?:[\s().-]*\d){7,}/g, masked)
/** Masks the numbers of a contact card and keeps only the fields that a screen shows. */
export const maskCard = (vCard: string): string =>
  cards(vCard)
    .map(({ name, organization, title, phones, urls, ...card }) =>
      writeCard({
        ...card,
        name: maskNumbers(name),
        organization: maskNumbers(organization),
        title: maskNumbers(title),
        phones: phones.map(({ number }) => ({ number: masked(number), whatsAppId: '' })),
        urls: urls.map(maskNumbers),
      }),
    )
    .join('\n')

export const maskTicket = (row: TicketRow): TicketRow => ({
  ...row,
  contact: maskParty(row.contact, row.isGroup),
  lastMessage: maskMentions(row.lastMessage),
  lastMessageSender: row.lastMessageSender === null ? null : maskedName(row.lastMessageSender),
})

const maskAbout = <A extends { title: string; text: string }>(about: A): A => ({
  ...about,
  title: maskMentions(about.title),
  text: maskMentions(about.text),
})

export const maskMessage = (row: MessageRow): MessageRow => ({
  ...row,
  contact: maskNamed(row.contact),
  reactions: row.reactions.map((one) => ({ ...one, name: one.name && maskedName(one.name) })),
  body: maskMentions(row.body),
  vCard: row.vCard === null ? null : maskCard(row.vCard),
  about: row.about && maskAbout(row.about),
  quotedMsg: row.quotedMsg && { ...row.quotedMsg, body: maskMentions(row.quotedMsg.body), contact: maskNamed(row.quotedMsg.contact) },
})

export const maskHistory = <R extends { contact: HistoryRow['contact']; isGroup: boolean }>(row: R): R => ({
  ...row,
  contact: maskParty(row.contact, row.isGroup),
})

/** Also masks the contact's own number where the last message contains it. */
export function maskReportRow<R extends Pick<TicketReportRow, 'contactName' | 'contactNumber' | 'lastMessage' | 'isGroup'>>(row: R): R {
  const { name: contactName, number: contactNumber } = maskParty({ name: row.contactName, number: row.contactNumber }, row.isGroup)
  const own = !row.isGroup && row.contactNumber.length >= 8 ? row.lastMessage.replaceAll(row.contactNumber, contactNumber) : row.lastMessage
  return { ...row, contactName, contactNumber, lastMessage: maskMentions(own) }
}

/** A message id of the Cloud API contains the number of the other side, and command ids derive from it. */
const maskId = (id: string): string => id.replace(/wamid\.[^\s"]+/g, 'wamid.*')
/** Masks provider ids that contain a number, in event data or metadata. Returns the same object if nothing changes. */
export function maskProviderIds<D extends Record<string, unknown>>(fields: D): D {
  const changed = Object.entries(fields).flatMap(([field, value]) =>
    typeof value === 'string' && ids.has(field) && maskId(value) !== value ? [[field, maskId(value)] as const] : [],
  )
  return changed.length === 0 ? fields : { ...fields, ...Object.fromEntries(changed) }
}
const ids = new Set(['externalId', 'providerId', 'commandId', '$correlationId', '$causationId'])

/** Masks event data: the provider's id of a participant is a phone number. */
export function maskEvent<D extends Record<string, unknown>>(data: D): D {
  const { participant, body, vCard, quote, about } = data as Partial<Record<string, unknown>>
  return {
    ...maskProviderIds(data),
    ...(isParticipant(participant) && { participant: { ...participant, id: masked(participant.id), name: maskedName(participant.name) } }),
    ...(typeof body === 'string' && { body: maskMentions(body) }),
    ...(typeof vCard === 'string' && { vCard: maskCard(vCard) }),
    ...(isQuote(quote) && { quote: { ...quote, body: maskMentions(quote.body) } }),
    ...(isAbout(about) && { about: maskAbout(about) }),
  }
}
const isParticipant = (value: unknown): value is { id: string; name: string } =>
  typeof (value as Record<string, unknown> | null)?.id === 'string' && typeof (value as Record<string, unknown>).name === 'string'
const isQuote = (value: unknown): value is { body: string } => typeof (value as Record<string, unknown> | null)?.body === 'string'
const isAbout = (value: unknown): value is { title: string; text: string } =>
  typeof (value as Record<string, unknown> | null)?.title === 'string' && typeof (value as Record<string, unknown>).text === 'string'
