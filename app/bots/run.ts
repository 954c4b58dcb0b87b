import type { CommandMetadata } from '#domain/decider.ts'
import {
  answerable,
  audioPauseMs,
  audioRefusal,
  decideReply,
  isUnassigned,
  ledByPeople,
  waitedForPeople,
  waitingNotice,
} from '#domain/flow/reply-rules.ts'
import type { Effect } from '#domain/ticket/automation.ts'
import { awaitsConsent } from '#domain/ticket/consent.ts'
import type { TicketEvent } from '#domain/ticket/events.ts'
import { undoWindow } from '#domain/ticket/rules.ts'
import { ticketStream } from '#domain/ticket/stream.ts'
import type { Present } from '#domain/ticket/ticket.ts'
import type { PersistedEvent } from '#projections/projector.ts'
import type { ContactKeys } from '../crypto/contact-keys.ts'
import { causeOf, decodeEvents } from '../event-store/event-codec.ts'
import type { EventStore } from '../event-store/event-store.ts'
import type { Reactor } from '../event-store/reactor.ts'
import { consentOf } from '../inbound/consent.ts'
import type { Clock } from '../scheduler/clock.ts'
import { setDeadline } from '../scheduler/deadlines.ts'
import { settingsOf } from '../setting/read.ts'
import { beginTurn } from '../ticket/assignment.ts'
import { ignoreRefusal } from '../ticket/ignore-refusal.ts'
import { partiesOf, sendSystemMessage, ticketOf } from '../ticket/system-messages.ts'
import { createMessageBuilder, toActions } from './acts.ts'
import { hasTooManyClosings } from './closings.ts'
import { bot, type Deps as PositionDeps, positionAct } from './position.ts'
import { loadBotContext } from './setup.ts'

type Deps = PositionDeps & { eventStore: EventStore; contactKeys: ContactKeys; clock: Clock }
type Received = PersistedEvent<Extract<TicketEvent, { type: 'MessageReceived' | 'MessageDecrypted' }>>

/**
 * Answers inbound messages by the company's configuration. One command per message, with a derived id, so
 * that a second run changes nothing.
 */
export const bots: Reactor<TicketEvent, Deps> = {
  name: 'bots',
  of: ticketStream,
  on: {
    MessageReceived: async (event, deps) => {
      const ticket = await ticketOf(event, deps, {}, event.revision) // the ticket's decider handles later events
      if (ticket && !awaitsConsent(ticket, event.revision)) await answerMessage(event, ticket, deps)
    },
    MessageDecrypted: async (event, deps) => {
      const ticket = await ticketOf(event, deps, { messages: [event.messageId] })
      const revision = ticket?.messages.get(event.messageId)?.revision
      const first = ticket?.consent?.first === revision && ticket?.consent?.given !== null // the message that waited for the consent
      if (ticket && revision !== undefined && (first || !awaitsConsent(ticket, revision)))
        await answerMessage({ ...event, revision }, ticket, deps)
    },
    ConsentRequested: sendConsentText,
    ConsentGiven: answerFirstMessage,
    ConsentRefused: sendRefusalText,
    TicketOpened: async ({ transfer, ...event }, deps) => {
      if (transfer?.userId === null) await schedulePosition(event, deps, undoWindow)
    },
    TicketTransferred: async ({ userId, ...event }, deps) => {
      if (userId === null) await schedulePosition(event, deps, undoWindow)
    },
    TicketRedirected: (event, deps) => schedulePosition(event, deps),
  },
}

type Entered = Pick<Received, 'companyId' | 'aggregateId' | 'revision' | 'at' | 'eventId'> & Parameters<typeof causeOf>[0]
/** An undoable change is announced once it can no longer be undone. */
const schedulePosition = ({ companyId, aggregateId, revision, at, ...event }: Entered, { db }: Deps, ms = 0): Promise<void> =>
  setDeadline(db, {
    ...{ companyId, aggregateId, kind: `position/${revision}`, cause: causeOf(event) },
    dueAt: new Date(Date.parse(at) + ms).toISOString(),
  })

/** Called by the reaction that answers the message, so that the consent text is sent first. */
async function sendConsentText(event: PersistedEvent<Extract<TicketEvent, { type: 'ConsentRequested' }>>, deps: Deps): Promise<void> {
  const ticket = await ticketOf(event, deps)
  if (!ticket || ticket.status === 'closed' || (event.asks && ticket.status !== 'lgpd')) return
  const { companyId } = event
  const { contactId, connectionId } = ticket
  const result = await consentOf(deps.db, { companyId, contactId, connectionId })
  const parties = result && (await partiesOf(event, deps))
  if (parties)
    await sendSystemMessage(
      { ...event, cause: causeOf(event) },
      'consent',
      event.times === 1 ? result.text : result.again,
      parties,
      deps,
    ).catch(ignoreRefusal)
}

/** The refusal has closed the ticket; its text is the last message there (A-LGPD-01). */
async function sendRefusalText(event: PersistedEvent<Extract<TicketEvent, { type: 'ConsentRefused' }>>, deps: Deps): Promise<void> {
  const parties = await partiesOf(event, deps)
  const { lgpdRefusedMessage } = await settingsOf(deps.db, event.companyId)
  if (parties)
    await sendSystemMessage({ ...event, cause: causeOf(event) }, 'consentRefused', lgpdRefusedMessage, parties, deps).catch(ignoreRefusal)
}

/**
 * Answers the first message of a contact who has given consent as if it came now (A-LGPD-01). Text that was
 * unreadable then uses its current state.
 */
async function answerFirstMessage(
  { stream, revision, at, ...event }: PersistedEvent<Extract<TicketEvent, { type: 'ConsentGiven' }>>,
  deps: Deps,
) {
  const ticket = await ticketOf(event, deps)
  if (!ticket?.consent || ticket.consent.given !== revision) return
  const { events } = await deps.eventStore.read(stream, BigInt(ticket.consent.first), revision - ticket.consent.first)
  const [first, ...more] = await decodeEvents<TicketEvent>(ticketStream, events, deps.contactKeys)
  if (first?.type !== 'MessageReceived') return
  const read = more.find((event) => event.type === 'MessageDecrypted' && event.messageId === first.messageId) as Received | undefined
  await answerMessage({ ...(read ?? first), revision: first.revision, at }, ticket, deps)
}

async function answerMessage(event: Received, ticket: Present, deps: Deps): Promise<void> {
  const { companyId, aggregateId: ticketId, revision: answers, kind, body, at, eventId } = event
  if (ticket.group || ticket.status === 'closed' || !answerable(event)) return
  const { connectionId, contactId, queueId } = ticket
  const { dealt } = ticket.bot
  const byPeople = ledByPeople(ticket) || waitedForPeople(ticket, answers)
  const waits = byPeople && isUnassigned(ticket)
  const led = byPeople || answers <= dealt
  if (led && !waits && kind !== 'audio') return
  const set = await loadBotContext(deps.db, { companyId, connectionId, contactId })
  if (!set) return
  const situation = { ticket, message: { kind, body, at }, setup: set.setup }
  const by: CommandMetadata = { companyId, by: bot }
  const talk = (what: string) => ({ ...set, queueId, name: `${what}/${eventId}` })

  const remark = talk('audio')
  const [refusal] = await toActions(audioRefusal(situation), remark, createMessageBuilder(remark, deps.nextMessageId))
  if (refusal)
    await deps.execute(
      ticketId,
      { type: 'Remark', answers, act: refusal, afterMs: audioPauseMs, ...by },
      `audio-${eventId}`,
      causeOf(event),
    )
  if (waits) {
    const { outputs, afterMs } = waitingNotice(situation)
    const waiting = talk('waiting')
    const [act] = await toActions(outputs, waiting, createMessageBuilder(waiting, deps.nextMessageId))
    const command = { type: 'Remark' as const, answers: null, afterMs, whileWaiting: true as const, ...by }
    if (act) await deps.execute(ticketId, { ...command, act }, `waiting-${eventId}`, causeOf(event)) // and it still waits for an agent
  }
  if (led) return

  const answer = talk('bot')
  const messageBuilder = createMessageBuilder(answer, deps.nextMessageId)
  let { outputs } = decideReply(situation)
  if (outputs.some(({ does }) => does === 'close') && (await hasTooManyClosings(deps.db, companyId, contactId, at)))
    ({ outputs } = decideReply({ ...situation, keepsOpen: true }))
  const acts = await toActions(outputs, answer, messageBuilder)
  const last = acts.at(-1)
  if (!last) return
  const all = acts.flatMap(({ effects }) => effects)
  const chosen = all.findLast(choosesQueue)?.queueId ?? queueId
  const named = all.filter(endsBot).findLast(({ userId }) => userId !== null)
  // an agent chosen by the contact also gets a rotation turn
  if (named && chosen !== null) await beginTurn(companyId, ticketId, { queueId: chosen, connectionId }, deps)
  if (last.reason !== 'outOfHours' && last.effects.some(endsBot))
    acts.push(...(await positionAct(deps, answer, { companyId, ticketId, queueId: chosen }, messageBuilder)))
  await deps.execute(ticketId, { type: 'Automate', answers, from: dealt, acts, ...by }, `bot-${eventId}`, causeOf(event))
}

const endsBot = (effect: Effect): effect is Extract<Effect, { does: 'end' }> => effect.does === 'end'
const choosesQueue = (effect: Effect): effect is Extract<Effect, { does: 'queue' }> => effect.does === 'queue'
