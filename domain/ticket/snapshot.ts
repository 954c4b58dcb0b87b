import type { Present, Ticket } from './ticket.ts'

/**
 * The version of what a fold makes of the facts: raised with every change to `Ticket`, or to what a row of `evolve` makes of a fact, so
 * that no snapshot is taken for what it is not any more.
 */
export const foldVersion = 17

/** No personal words are in it: a fold never opens what is sealed. */
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
