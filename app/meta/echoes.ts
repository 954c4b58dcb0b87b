import { type Kysely, sql } from 'kysely'
import { channelOfProduct } from '#domain/channel/channels.ts'
import { textValues } from '#domain/contact/rules.ts'
import { minuteMs } from '#domain/duration/rules.ts'
import type { Media } from '#domain/ticket/events.ts'
import { filled } from '#domain/ticket/rules.ts'
import type { Database, OutboxRow } from '#projections/database.ts'
import type { Identity } from '../channels/channel.ts'
import type { AppContext } from '../context.ts'
import { ticketsOf } from '../inbound/contact-places.ts'
import { type ContactStore, resolveContact } from '../inbound/contact-resolver.ts'
import { partLeft } from '../inbound/sent-messages.ts'
import type { Account } from './accounts.ts'
import { type Json, list, text } from './json.ts'
import { attachmentKind, splitText } from './message-parts.ts'

/* Messenger and Instagram return each sent message as an echo, also those that were sent elsewhere. */
type Deps = Pick<AppContext, 'db' | 'caches' | 'waitForProjection' | 'readHeadPosition'>

/** Tolerated clock difference, and how long after giving up a file may still come back. */
const [clocksMs, givenUpMs] = [2 * minuteMs, 10 * minuteMs]
/** Sent messages without an answer. */
export const openSends = (db: Kysely<Database>, connectionId: number) =>
  db
    .selectFrom('outbox')
    .where('connectionId', '=', connectionId)
    .where('kind', '=', 'send')
    .where(({ or, eb, and }) => or([eb('state', '=', 'uncertain'), and([eb('state', '=', 'waiting'), eb('attempts', '>', 0)])]))

/**
 * Finds our own message in an echo. Messenger returns our id. Instagram does not: an unanswered send is
 * matched by recipient and text, or by file kind, and later by the provider’s id.
 */
export async function findEchoedSend(
  deps: Deps,
  account: Account,
  { from, at }: { from: Identity[]; at: string },
  message: Json,
): Promise<string | null> {
  const { db, waitForProjection, readHeadPosition } = deps
  const { connectionId } = account
  const metadata = text(message.metadata)
  if (metadata !== '') {
    const sent = db.selectFrom('outbox').select('externalId').where('connectionId', '=', connectionId).where('kind', '=', 'send')
    return (await sent.where('externalId', '=', metadata).executeTakeFirst())?.externalId ?? null
  }
  const byProvider = db
    .selectFrom('outbox')
    .select('n')
    .where('connectionId', '=', connectionId)
    .where('providerId', '=', text(message.mid))
  const words = text(message.text)
  const file = text(list(message.attachments)[0]?.type)
  if ((words === '' && file === '') || (await byProvider.executeTakeFirst())) return null
  const tickets = await ticketsWith(deps, account, from)
  const unanswered = openSends(db, connectionId).where('providerId', 'is', null)
  const open = tickets.length === 0 ? undefined : unanswered.where('outbox.ticketId', 'in', tickets)
  if (!open || !(await open.select('n').limit(1).executeTakeFirst())) return null
  await waitForProjection(await readHeadPosition()) // its text is in the read model by then
  const known = await open
    .innerJoin('message', 'message.id', 'outbox.messageId')
    .innerJoin('contact', 'contact.id', 'outbox.contactId')
    .select(['outbox.externalId', 'outbox.state', 'outbox.createdAt', 'message.body', 'message.media', 'contact.name', 'contact.number'])
    .orderBy(sql`outbox.state = 'waiting'`, 'desc') // a message in flight returns before one that was given up
    .orderBy('outbox.n')
    .limit(100)
    .execute()
  const is = (one: (typeof known)[number]) =>
    words === '' ? mayBeFile(one, file, Date.parse(at)) : sentTexts(one, account).some(([first]) => first === words)
  return known.find(is)?.externalId ?? null
}

type Open = Pick<OutboxRow, 'state' | 'createdAt'> & { media: Media | null }
/** An agent may send a similar file by hand, so a file given up long ago does not match. */
function mayBeFile({ state, createdAt, media }: Open, kind: string, at: number): boolean {
  const ageMs = at - Date.parse(createdAt)
  return media !== null && attachmentKind(media) === kind && ageMs > -clocksMs && (state === 'waiting' || ageMs < givenUpMs)
}

/** The parts as sent, with placeholders filled in, or unchanged for a forwarded text. */
const sentTexts = ({ body, name, number }: { body: string; name: string; number: string }, { product }: Account): string[][] =>
  [...new Set([filled(body, textValues({ name, number })), body])].map((words) => splitText(words, product))

/**
 * A message sent in parts returns as several echoes. Later parts match by the ids of their answers, or by
 * text while an answer is missing. At most as many match as may have been sent.
 */
export async function isPartEcho(deps: Deps, account: Account, from: Identity[], id: string, words: string): Promise<boolean> {
  const { db, waitForProjection, readHeadPosition } = deps
  if (words === '') return false
  const tickets = await ticketsWith(deps, account, from)
  const due = db.selectFrom('outbox').where('outbox.connectionId', '=', account.connectionId).where('kind', '=', 'send')
  const open = due
    .where('outbox.ticketId', 'in', tickets)
    .where('partsDue', '>', 0)
    .where('outbox.attempts', '>', 0)
    .where('outbox.createdAt', '>', sql<string>`now() - interval '10 minutes'`)
  if (tickets.length === 0 || !(await open.select('n').limit(1).executeTakeFirst())) return false
  await waitForProjection(await readHeadPosition())
  const rows = await open
    .innerJoin('message', 'message.id', 'outbox.messageId')
    .innerJoin('contact', 'contact.id', 'outbox.contactId')
    .select(['outbox.externalId', 'message.body', 'message.media', 'contact.name', 'contact.number'])
    .orderBy('outbox.n', 'desc')
    .limit(20)
    .execute()
  const one = rows.find((row) => sentTexts(row, account).some((parts) => parts.slice(row.media ? 0 : 1).includes(words)))
  if (one) await partLeft({ db, connectionId: account.connectionId, externalId: one.externalId }, id, false)
  return one !== undefined
}

/** Tickets in which a recent message to this person may be. */
async function ticketsWith(store: ContactStore, { connectionId: id, companyId, product }: Account, ids: Identity[]): Promise<number[]> {
  const connection = { id, companyId, channel: channelOfProduct(product) }
  const contact = await resolveContact(connection, { ids, name: '', group: false }, false, store)
  return contact ? ticketsOf(store.db, { contactIds: [contact.id, ...contact.others], connectionId: id }) : []
}
