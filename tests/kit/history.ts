import { decide, fold, type Stamp } from '#domain/decider.ts'
import { Refusal } from '#domain/errors.ts'
import { type TicketCommand, ticket } from '#domain/ticket/decide.ts'
import type { TicketEvent } from '#domain/ticket/events.ts'
import type { Ticket } from '#domain/ticket/ticket.ts'
import type { Recorded } from '#projections/projector.ts'
import { type Dice, dice } from './dice.ts'
import { content, noon, user } from './story.ts'

type Told = Recorded<TicketEvent>

/** Facts with the places a log would give them: revisions by ticket, positions in a row. */
export function placed(facts: (TicketEvent & Partial<Stamp> & { of: number })[]): Told[] {
  const revisions = new Map<number, number>()
  return facts.map(({ of, ...fact }, i) => {
    const revision = (revisions.get(of) ?? -1) + 1
    revisions.set(of, revision)
    const place = { ticketId: of, revision, position: BigInt(i + 1), eventId: idOf(i) }
    return { companyId: 1, by: user(7), at: new Date(Date.parse(noon) + i * 1000).toISOString(), ...fact, ...place }
  })
}
const idOf = (i: number) => `00000000-0000-4000-8000-${String(i).padStart(12, '0')}`

/** What a decider makes of so many commands thrown at some tickets of two companies, by the seed. Every fact in it could have happened. */
export function history(seed: number, commands: number, tickets = 8): Told[] {
  const throws = dice(seed)
  const states = new Map<number, Ticket>()
  const told: (TicketEvent & Stamp & { of: number })[] = []
  for (let i = 0; i < commands; i++) {
    const of = 1 + throws.int(tickets)
    const stamp: Stamp = { companyId: 1 + (of % 2), by: user(7 + throws.int(3)), at: new Date(Date.parse(noon) + i * 60_000).toISOString() }
    const now = states.get(of) ?? ticket.initial
    try {
      const facts = decide(ticket, now, { ...commandFor(throws, of, i), ...stamp })
      states.set(of, fold(ticket, facts, now))
      told.push(...facts.map((fact) => ({ ...fact, of })))
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
    }
  }
  return placed(told)
}

function commandFor(throws: Dice, of: number, i: number): TicketCommand {
  const { int, of: one, chance } = throws
  const messageId = 1000 * of + 1 + int(20)
  const fresh = 1000 * of + 100 + i
  const opening = {
    ...{ ticketId: of, uuid: idOf(of), contactId: of, connectionId: 1, channel: 'whatsapp' as const, group: of % 4 === 0 },
    ...{ queueId: chance(0.5) ? 5 : null, follows: null },
  }
  const { quotedId: _, ...said } = content
  const media = { key: 'a'.repeat(64), mime: 'image/png', name: 'a.png', size: 9, width: 1, height: 1, seconds: null }
  const commands: (() => TicketCommand)[] = [
    () => ({ type: 'Open', userId: null, ...opening }),
    () => ({ type: 'Receive', messageId, externalId: `in-${messageId}`, participant: null, quotedExternalId: null, opening, ...said }),
    () => ({
      type: 'Receive',
      messageId: fresh,
      externalId: `in-${fresh}`,
      participant: { id: '5511955550000', name: 'Zé' },
      quotedExternalId: null,
      opening,
      ...said,
      kind: 'image',
      media,
    }),
    () => ({
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
    }),
    () => ({ type: 'Take', userId: 7 + int(3), queueId: one([5, 6]) }),
    () => ({ type: 'Queue', queueId: one([5, 6]) }),
    () => ({ type: 'Return', userId: 7, admin: true }),
    () => ({ type: 'Transfer', userId: one([null, 7, 8]), queueId: one([5, 6]), suits: true, successor: null, note: null }),
    () => ({ type: 'Access', userId: 7 + int(3), ...(chance(0.5) && { way: one(['peek', 'print', 'export', 'replay']) }) }),
    () => ({ type: 'Read', userId: 7 + int(3), messageId }),
    () => ({ type: 'AddNote', noteId: 100 * of + int(9), note: 'Observação' }),
    () => ({ type: 'RemoveNote', noteId: 100 * of + int(9), admin: true }),
    () => ({ type: 'React', messageId, emoji: one(['👍', '❤️']), admin: chance(0.3) }),
    () => ({ type: 'ContactReacts', externalId: `in-${messageId}`, emoji: one(['', '👍']) }),
    () => ({ type: 'ContactEdits', externalId: `in-${messageId}`, body: `Editado ${i}` }),
    () => ({ type: 'ContactRemoves', externalId: `in-${messageId}`, empties: chance(0.5) }),
    () => ({ type: 'SwitchIntegration', on: chance(0.5) }),
  ]
  if (chance(0.04)) return { type: 'Close', reason: 'agent', farewell: true, mayCloseWaiting: true, tagMissing: false }
  return chance(0.006) ? { type: 'Delete' } : one(commands)()
}
