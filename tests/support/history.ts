import { type Actor, decide, type EventMetadata, fold } from '#domain/decider.ts'
import { Refusal } from '#domain/errors.ts'
import { type TicketCommand, ticket } from '#domain/ticket/decide.ts'
import type { TicketEvent } from '#domain/ticket/events.ts'
import type { Ticket } from '#domain/ticket/ticket.ts'
import type { PersistedEvent } from '#projections/projector.ts'
import { type Dice, seededRandom } from './seeded-random.ts'
import { content, noon, user } from './story.ts'

type Recorded = PersistedEvent<TicketEvent>

/** Events with the revisions and positions that a log would give them. */
export function placed(facts: (TicketEvent & Partial<EventMetadata> & { of: number })[]): Recorded[] {
  const revisions = new Map<number, number>()
  return facts.map(({ of, ...fact }, i) => {
    const revision = (revisions.get(of) ?? -1) + 1
    revisions.set(of, revision)
    const place = { stream: `ticket-1-${of}`, aggregateId: of, revision, position: BigInt(i + 1), eventId: idOf(i) }
    return { companyId: 1, by: user(7), at: new Date(Date.parse(noon) + i * 1000).toISOString(), ...fact, ...place }
  })
}
const idOf = (i: number) => `00000000-0000-4000-8000-${String(i).padStart(12, '0')}`

/**
 * The events that the decider makes of seeded random commands to some tickets of two companies. Each of them is
 * possible.
 */
export function history(seed: number, commands: number, tickets = 8): Recorded[] {
  const throws = seededRandom(seed)
  const states = new Map<number, Ticket>()
  const told: (TicketEvent & EventMetadata & { of: number })[] = []
  for (let i = 0; i < commands; i++) {
    const of = 1 + throws.int(tickets)
    const stamp: EventMetadata = {
      companyId: 1 + (of % 2),
      by: user(7 + throws.int(3)),
      at: new Date(Date.parse(noon) + i * 60_000).toISOString(),
    }
    const now = states.get(of) ?? ticket.initial
    try {
      const command = commandFor(throws, of, i, now)
      const asks = now.status === 'lgpd' && command.type === 'Send' && { by: { kind: 'system' as const } } // the text about the contact's data
      const facts = decide(ticket, now, { ...command, ...stamp, ...asks, ...(command.type in others && { by: others[command.type]! }) })
      states.set(of, fold(ticket, facts, now))
      told.push(...facts.map((fact) => ({ ...fact, of })))
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
    }
  }
  return placed(told)
}

/** The actors of commands that no user sends. */
const others: { [T in TicketCommand['type']]?: Actor } = {
  Receive: { kind: 'contact', id: 3 },
  SendExternally: { kind: 'system' },
  EditExternally: { kind: 'system' },
  RemoveExternally: { kind: 'system' },
  ReactExternally: { kind: 'system' },
  Automate: { kind: 'bot', flowId: null },
  Remark: { kind: 'bot', flowId: null },
}

type Commands = { [T in TicketCommand['type']]: () => Extract<TicketCommand, { type: T }> }
/** The relative frequency of each command; the default is 10. */
const weights: Partial<Record<TicketCommand['type'], number>> = {
  Receive: 40,
  Send: 30,

  Close: 6,
  ApplyTimeout: 30,
  EnterLane: 6,
  LeaveLane: 3,
  Delete: 1,
  Withdraw: 2,
}

/** A random command that fits the ticket's state. */
export function commandFor(throws: Dice, of: number, i: number, now: Ticket): TicketCommand {
  const { int, of: one, chance } = throws
  const messageId = 10_000 * of + 1 + int(20)
  const fresh = 10_000 * of + 100 + i
  const known = 'messages' in now ? [...now.messages] : []
  const ours = known.filter(([, { from }]) => from === 'us')
  const our = ours.length > 0 ? one(ours)[0] : fresh
  const [anyId, { externalId: anyExternalId = '' } = {}] = known.length > 0 ? one(known) : [fresh]
  const act = 'undoableAction' in now && now.undoableAction ? now.undoableAction.revision : null
  const opening = {
    ...{ ticketId: of, uuid: idOf(of), contactId: of, connectionId: 1, channel: 'whatsapp' as const, group: of % 4 === 0 },
    ...{ queueId: chance(0.5) ? 5 : null, predecessorId: null },
  }
  const { quotedId: _, ...said } = content
  const words = { ...said, body: 'Escolha uma fila' }
  const media = { key: 'a'.repeat(64), mime: 'image/png', name: 'a.png', size: 9, width: 1, height: 1, seconds: null }
  const came = chance(0.5)
    ? { messageId, externalId: `in-${messageId}`, participant: null, ...said, ...(chance(0.5) && { body: one(['9', '1', '2', '2']) }) }
    : {
        messageId: fresh,
        externalId: `in-${fresh}`,
        participant: { id: '5511955550000', name: 'Zé' },
        ...said,
        kind: 'image' as const,
        media,
      }
  const resumes = { withinMs: 3_600_000, queueId: null }
  const commands: Commands = {
    Open: () => ({ type: 'Open', userId: null, ...opening }),
    Receive: () => ({
      type: 'Receive',
      quotedExternalId: chance(0.2) ? anyExternalId : null,
      opening,
      ...came,
      ...(chance(0.5) && { undecryptable: true as const, body: '', media: null, kind: 'chat' as const }),
      ...(chance(0.5) && { consent: { text: 'a'.repeat(64), asks: chance(0.8) } }),
      ...(chance(0.5) && { resumes }),
      ...(chance(0.5) && { lanesBack: { 9: 10 } }),
    }),
    Import: () => ({
      ...{ type: 'Import', opening, quotedExternalId: null, messageId: fresh, externalId: `old-${fresh}`, author: null },
      ...{ from: one(['us', 'contact'] as const), participant: null, ...said },
    }),
    EndImport: () => ({ type: 'EndImport', queueId: one([null, 5]) }),
    Send: () => ({
      ...{
        type: 'Send',
        messageId: fresh,
        externalId: `out-${fresh}`,
        clientId: `c-${fresh}`,
        private: chance(0.2),
        forwarded: chance(0.1),
      },
      ...{ seen: chance(0.5) ? int(30) : null, anyway: true, admin: true },
      ...content,
      ...(chance(0.2) && { again: our }),
      ...(chance(0.1) && { aside: true as const }),
      ...(chance(0.2) && act !== null && { actionRevision: act }),
    }),
    Automate: () => {
      const text = { messageId: fresh, externalId: `bot-${fresh}`, clientId: `b-${fresh}`, ...words }
      const stands = { does: 'stand' as const, node: one(['start/menu', 'queue:5/menu']), menus: 1 + int(3) }
      const last = one([stands, stands, { does: 'end' as const, userId: 8 }, { does: 'close' as const }])
      const effects = [
        ...(chance(0.4) ? [{ does: 'queue' as const, queueId: one([5, 6]) }] : []),
        { does: 'say' as const, message: text },
        last,
      ]
      const from = 'bot' in now ? now.bot.dealt : -1
      return { type: 'Automate', answers: from + 1, from, acts: [{ rule: 'A-BOT-02', reason: 'queueMenu', effects }] }
    },
    Remark: () => ({ type: 'Remark', answers: 1, act: { rule: 'A-AUDIO-01', reason: 'audio', effects: [] }, afterMs: 60_000 }),
    Dispatch: () => ({ type: 'Dispatch', messageId: our, attempt: 1 }),
    Accepted: () => ({ type: 'Accepted', messageId: our, ...(chance(0.5) && { providerId: `wamid-${our}` }) }),
    Mark: () => ({ type: 'Mark', mark: one(['delivered', 'read', 'played']), externalIds: [`out-${our}`, `wamid-${our}`] }),
    Fail: () => ({ type: 'Fail', messageId: our, code: 'ERR_SENDING_WAPP_MSG' }),
    NotDelivered: () => ({ type: 'NotDelivered', externalIds: [`out-${our}`], code: '131026' }),
    SendExternally: () => ({
      ...{ type: 'SendExternally', externalId: `phone-${fresh}`, messageId: fresh, quotedExternalId: null, opening },
      ...{ ...said, body: 'Do celular' },
    }),
    EditExternally: () => ({ type: 'EditExternally', externalId: `out-${our}`, body: `Do celular ${i}` }),
    RemoveExternally: () => ({ type: 'RemoveExternally', externalId: `out-${our}` }),
    ReactExternally: () => ({ type: 'ReactExternally', externalId: anyExternalId, emoji: one(['', '👍']) }),
    Doubt: () => ({ type: 'Doubt', messageId: our }),
    Edit: () => ({ type: 'Edit', messageId: our, body: `Corrigido ${i}`, admin: true }),
    Remove: () => ({ type: 'Remove', messageId: our, admin: true }),
    Accept: () => ({ type: 'Accept', userId: 7 + int(3), queueId: one([5, 6]) }),
    Reopen: () => ({ type: 'Reopen', userId: 7 + int(3), queueId: one([5, 6]) }),
    Queue: () => ({ type: 'Queue', queueId: one([5, 6]) }),
    Move: () => ({ type: 'Move', queueId: one([5, 6]), suits: chance(0.5) }),
    Assign: () => ({
      type: 'Assign',
      queueId: one([5, 6]),
      from: one([null, 7]),
      userId: one([null, 7, 8]),
      why: 'rotation',
      rule: 'A-ROT-01',
    }),
    Release: () => ({ type: 'Release', userId: one([7, 8]) }),
    ReleaseFrom: () => ({ type: 'ReleaseFrom', userId: one([7, 8]), queueId: one([5, 6]) }),
    Return: () => ({ type: 'Return', userId: 7, admin: true }),
    Transfer: () => ({
      ...{ type: 'Transfer', userId: one([null, 7, 8]), queueId: one([5, 6]), suits: true },
      ...{ successor: chance(0.1) ? { ticketId: 9000 + i, uuid: idOf(9000 + i) } : null, note: chance(0.3) ? 'Já paga' : null },
    }),
    Close: () => ({
      ...{ type: 'Close', reason: one(['agent', 'closeAll']), farewell: true, mayCloseWaiting: true, tagMissing: false },
      ...(chance(0.6) && { rates: true as const }),
      ...(chance(0.3) && { batch: idOf(7000 + int(3)) }),
    }),
    ApplyTimeout: () => ({
      type: 'ApplyTimeout',
      policy: {
        ...{ expiresMs: one([0, 6_000_000, 60_000, 6_000_000]), onlyUnanswered: chance(0.5), warnMs: 30_000, autoMs: 60_000 },
        ...{ redirectMs: 60_000, ratingMs: 600_000, redirectTo: one([5, 6]), closedUntil: null, vacation: null },
        lane: one([null, { tagId: 9, ms: 90_000, to: 10 }, { tagId: 10, ms: 90_000, to: 9 }]),
      },
    }),
    EnterLane: () => ({ type: 'EnterLane', tagId: one([9, 10]) }),
    LeaveLane: () => ({ type: 'LeaveLane' }),
    Undo: () => ({ type: 'Undo', seen: null }),
    Withdraw: () => ({ type: 'Withdraw', back: { ticketId: 900 + of, command: idOf(8000 + of) } }),
    Delete: () => ({ type: 'Delete' }),
    Access: () => ({ type: 'Access', userId: 7 + int(3), ...(chance(0.5) && { mode: one(['peek', 'print', 'export', 'replay']) }) }),
    Read: () => ({ type: 'Read', userId: 7 + int(3), messageId: anyId }),
    AddNote: () => ({ type: 'AddNote', noteId: 100 * of + int(9), note: 'Observação' }),
    RemoveNote: () => ({ type: 'RemoveNote', noteId: 100 * of + int(9), admin: true }),
    React: () => ({ type: 'React', messageId: anyId, emoji: one(['👍', '❤️']), admin: chance(0.3) }),
    ContactReacts: () => ({ type: 'ContactReacts', externalId: anyExternalId, emoji: one(['', '👍']) }),
    ContactEdits: () => ({ type: 'ContactEdits', externalId: `in-${messageId}`, body: `Editado ${i}` }),
    ContactRemoves: () => ({ type: 'ContactRemoves', externalId: `in-${messageId}`, empties: chance(0.5) }),
    SetAmount: () => ({ type: 'SetAmount', amount: one([null, 500, 1234.56]) }),
    SwitchIntegration: () => ({ type: 'SwitchIntegration', on: chance(0.5) }),
  }
  if ('bot' in now && !now.bot.over && now.status === 'pending' && chance(0.6)) return commands.Automate() // this state does not last long
  if (now.status === 'nps' && now.rating?.asked === null && chance(0.6))
    return { ...commands.Send(), private: false, aside: true, actionRevision: now.rating.actionRevision }
  if (now.status === 'nps' && chance(0.6))
    // A question for a rating does not last long either: the contact rates, chats or writes something else.
    return {
      ...commands.Receive(),
      undecryptable: undefined,
      kind: 'chat',
      media: null,
      body: one(['9', 'nota 3', 'ok', 'tchau', 'E o boleto?']),
    } as never
  if (now.status === 'lgpd' && now.consent?.left?.times !== now.consent?.times && chance(0.8)) {
    const said = now.consent?.requestId ?? null
    return said === null ? { ...commands.Send(), private: false } : { type: 'Dispatch', messageId: said, attempt: 1 }
  }
  const names = (Object.keys(commands) as TicketCommand['type'][]).flatMap((name) => Array(weights[name] ?? 10).fill(name))
  return commands[one(names) as TicketCommand['type']]()
}
