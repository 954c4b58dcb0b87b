import type { Present, Ticket } from './ticket.ts'

/** Increased with every change to `Ticket` or `evolve`, so that outdated snapshots are not used. */
export const foldVersion = 20
/** The outcome of this version over the golden events; `tests/architecture/fold.test.ts` compares it. Change it only with the version. */
export const foldFingerprint = 'a7f01fae2c679329'

/** The state contains no personal text, because a fold never unseals. */
export const serializeTicket = (ticket: Ticket): string =>
  JSON.stringify(
    'since' in ticket
      ? {
          ...ticket,
          accessed: [...ticket.accessed],
          messages: [...ticket.messages],
          usedIds: [...ticket.usedIds],
          notes: [...ticket.notes],
        }
      : ticket,
  )

type Listed = { [Key in 'accessed' | 'messages' | 'usedIds' | 'notes']: [never, never][] }
export function deserializeTicket(text: string): Ticket {
  const ticket = JSON.parse(text) as Ticket | (Present & Listed)
  if (!('since' in ticket)) return ticket
  const { accessed, messages, usedIds, notes } = ticket as Listed
  return {
    ...ticket,
    ...{ accessed: new Map(accessed), messages: new Map(messages), usedIds: new Map(usedIds), notes: new Map(notes) },
  }
}
