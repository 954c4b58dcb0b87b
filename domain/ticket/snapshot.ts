import type { Present, Ticket } from './ticket.ts'

/** Version of the folded state. Increased with every change to `Ticket` or `evolve`, so that outdated snapshots are not used. */
export const foldVersion = 17

/** The state contains no personal text, because a fold never unseals. */
export const written = (ticket: Ticket): string =>
  JSON.stringify(
    'since' in ticket
      ? {
          ...ticket,
          accessed: [...ticket.accessed],
          messages: [...ticket.messages],
          spent: [...ticket.spent],
          notes: [...ticket.notes],
        }
      : ticket,
  )

type Listed = { [Key in 'accessed' | 'messages' | 'spent' | 'notes']: [never, never][] }
export function readAgain(text: string): Ticket {
  const ticket = JSON.parse(text) as Ticket | (Present & Listed)
  if (!('since' in ticket)) return ticket
  const { accessed, messages, spent, notes } = ticket as Listed
  return {
    ...ticket,
    ...{ accessed: new Map(accessed), messages: new Map(messages), spent: new Map(spent), notes: new Map(notes) },
  }
}
