import { createHash } from 'node:crypto'
import { createPersonMatcher, type ErasedPerson, isDistinctName } from '#domain/data-request/rules.ts'
import { prefixOf } from '#domain/stream.ts'
import { nameKey } from '#domain/text/rules.ts'
import type { TicketEvent } from '#domain/ticket/events.ts'
import { createMessageParties } from '#domain/ticket/message-parties.ts'
import { ticketStream } from '#domain/ticket/stream.ts'
import { cards } from '#domain/vcard/rules.ts'
import { mergesAround } from '#projections/contact/person.ts'
import type { PersistedEvent } from '#projections/projector.ts'
import type { AppContext } from '../context.ts'
import { decodeTolerant, fieldsOf, type Meta } from '../event-store/event-codec.ts'

export type FoundInLog = {
  counts: { tickets: number; messages: number; notes: number; files: number; cardsElsewhere: number; messagesElsewhere: number }
  /** The files that the person's tickets name. */
  files: string[]
  /** The fields of other people's events that hold the person. */
  redactions: { eventId: string; stream: string; fields: string[] }[]
}
type Deps = Pick<AppContext, 'db' | 'eventStore' | 'contactKeys'>
type Fact = PersistedEvent<TicketEvent>
type Fields = Partial<Record<string, unknown>>

/** A short text of the person occurs in other conversations by chance. */
const shortestForward = 12
const digest = (text: string) => createHash('sha256').update(text).digest('base64')
const startsMessage = new Set<string>(['MessageReceived', 'MessageSent', 'MessageSentExternally', 'MessageImported'])

/**
 * Reads every ticket event of the company, oldest first, and finds the person: the own tickets, and in other tickets the own messages in groups
 * and those from the time of a merge, forwarded copies, contact cards, quotes, and texts with the number or the e-mail address.
 */
export async function findPersonInLog(
  { db, eventStore, contactKeys }: Deps,
  { companyId, contactIds }: { companyId: number; contactIds: readonly number[] },
  person: ErasedPerson,
): Promise<FoundInLog> {
  const own = createOwnContent()
  const others = createOthersContent(person, own)
  const parties = createMessageParties(await mergesAround(db, contactIds))
  const done = new AbortController()
  try {
    for await (const page of eventStore.subscribe(null, `${prefixOf(ticketStream)}${companyId}-`, done.signal)) {
      const { decoded } = await decodeTolerant(ticketStream, page.events, contactKeys)
      for (const [i, fact] of decoded.entries()) {
        const { contactId } = page.events[i]!.meta as unknown as Meta
        const party = parties.take(fact as Fact, contactId!) ?? contactId!
        const isTheirs = contactIds.includes(party)
        if (contactIds.includes(contactId!)) own.take(fact as Fact, isTheirs)
        else others.take(fact as Fact, isTheirs)
      }
      if (page.caughtUp) break
    }
  } finally {
    done.abort()
  }
  const counts = { ...own.counts(), ...others.counts }
  return { counts, files: own.files(), redactions: others.redactions }
}

type OwnContent = ReturnType<typeof createOwnContent>
function createOwnContent() {
  const [streams, files, sentFiles, texts] = [new Set<string>(), new Set<string>(), new Set<string>(), new Set<string>()]
  let [messages, notes] = [0, 0]
  /** Remembers the file and the text of a message. `isTheirs`: the person wrote it, or it was sent to the person. */
  function remember(fact: Fact, isTheirs: boolean): void {
    const fromContact = fact.type === 'MessageReceived' || (fact.type === 'MessageImported' && fact.from === 'contact')
    if ('media' in fact && fact.media) {
      files.add(fact.media.key)
      if (fromContact && isTheirs) sentFiles.add(fact.media.key)
    }
    if (fromContact && isTheirs && fact.body.length >= shortestForward) texts.add(digest(fact.body))
  }
  return {
    remember,
    take(fact: Fact, isTheirs: boolean): void {
      streams.add(fact.stream)
      if (startsMessage.has(fact.type)) messages += 1
      if (fact.type === 'NoteAdded') notes += 1
      remember(fact, isTheirs)
    },
    isTheirFile: (key: string) => sentFiles.has(key),
    isTheirText: (text: string) => text.length >= shortestForward && texts.has(digest(text)),
    files: () => [...files],
    counts: () => ({ tickets: streams.size, messages, notes, files: files.size }),
  }
}

function createOthersContent(person: ErasedPerson, own: OwnContent) {
  const names = createPersonMatcher(person)
  const ids = new Set(person.ids)
  const fullNames = new Set(person.names.filter(isDistinctName).map(nameKey))
  const isTheirCard = (text: string) => names(text) || (fullNames.size > 0 && cards(text).some(({ name }) => fullNames.has(nameKey(name))))
  /** Messages that the person wrote in a group, or that belong to the person from the time of a merge. */
  const written = new Set<number>()
  const redactions: FoundInLog['redactions'] = []
  const counts = { cardsElsewhere: 0, messagesElsewhere: 0 }

  function fieldsWithPerson(fact: Fact, isTheirs: boolean): string[] {
    const data = fact as unknown as Fields
    const present = fieldsOf(ticketStream, fact.type).filter((field) => data[field] !== undefined && data[field] !== null)
    const isAuthor = isTheirs || ids.has(String((data.participant as { id?: string } | null | undefined)?.id))
    if (isAuthor && startsMessage.has(fact.type)) {
      written.add(data.messageId as number)
      own.remember(fact, true)
    }
    if (isAuthor || (written.has(data.messageId as number) && (fact.type === 'MessageEdited' || fact.type === 'MessageDecrypted')))
      return present
    const copied = data.forwarded === true
    const media = data.media as { key?: string } | null | undefined
    return present.filter((field) => {
      const value = data[field]
      if (field === 'quote') return written.has(data.quotedId as number) || names(JSON.stringify(value))
      if (field === 'vCard') return isTheirCard(String(value))
      if (field === 'media') return (copied && own.isTheirFile(String(media?.key))) || names(JSON.stringify(value))
      const text = typeof value === 'string' ? value : JSON.stringify(value)
      if (field === 'body' && typeof data.vCard === 'string' && isTheirCard(data.vCard)) return true
      return names(text) || (copied && own.isTheirText(text))
    })
  }
  return {
    redactions,
    counts,
    take(fact: Fact, isTheirs: boolean): void {
      const fields = fieldsWithPerson(fact, isTheirs)
      if (fields.length === 0) return
      counts[fields.includes('vCard') ? 'cardsElsewhere' : 'messagesElsewhere'] += 1
      redactions.push({ eventId: fact.eventId, stream: fact.stream, fields })
    },
  }
}
