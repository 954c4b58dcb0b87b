import type { Closing } from '#projections/report/tables.ts'
import type { RecountedClosing, RecountedTicket } from './ticket-facts.ts'

/** A number that the read models have otherwise than the log. `ticketId` null: a sum. */
export type Difference = { companyId: number; ticketId: number | null; what: string; recounted: unknown; stored: unknown }

/** What the read models store about a ticket. */
export type StoredTicket = {
  createdAt: string | null
  startedByUs: boolean
  deletedAt: string | null
  closings: (Closing & { isDeleted: boolean })[]
}

/** Compares every number and text below two values. Fractions may differ in their last digits. */
export function differencesIn(what: string, recounted: unknown, stored: unknown): { what: string; recounted: unknown; stored: unknown }[] {
  if (typeof recounted === 'number' && typeof stored === 'number' && Math.abs(recounted - stored) < 1e-6) return []
  if (!isObject(recounted) || !isObject(stored)) return recounted === stored ? [] : [{ what, recounted, stored }]
  const names = new Set([...Object.keys(recounted), ...Object.keys(stored)])
  return [...names].flatMap((name) => differencesIn(what === '' ? name : `${what}.${name}`, recounted[name], stored[name]))
}
const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

/** Only the fields that the recount knows. */
function pick(fields: object, stored: object): object {
  return Object.fromEntries(Object.keys(fields).map((name) => [name, (stored as Record<string, unknown>)[name]]))
}
const iso = (at: number | null) => (at === null ? null : new Date(at).toISOString())
const closingOf = ({ at, reopenedAt, ...closing }: RecountedClosing, isDeleted: boolean) => ({
  ...closing,
  ...{ at: iso(at), reopenedAt: iso(reopenedAt), isDeleted },
})

/** Compares a ticket with its rows. `recounted` null: it does not count, so it has no closings and is not created. */
export function compareTicket(
  companyId: number,
  ticketId: number,
  recounted: RecountedTicket | null,
  stored: StoredTicket | null,
): Difference[] {
  const named = (found: ReturnType<typeof differencesIn>) => found.map((one) => ({ companyId, ticketId, ...one }))
  if (!stored) return recounted ? named([{ what: 'ticket', recounted: 'counted', stored: 'no row' }]) : []
  const { createdAt, startedByUs, deletedAt, closings } = recounted ?? { createdAt: null, startedByUs: null, deletedAt: null, closings: [] }
  const facts = { createdAt: iso(createdAt), ...(recounted && { startedByUs, deletedAt: iso(deletedAt) }) }
  const expected = new Map(closings.map((one) => [one.revision, closingOf(one, deletedAt !== null)]))
  const found = new Map(stored.closings.map((one) => [one.revision, one]))
  const revisions = [...new Set([...expected.keys(), ...found.keys()])].toSorted((a, b) => a - b)
  return named([
    ...differencesIn('', facts, pick(facts, stored)),
    ...revisions.flatMap((revision) => {
      const [ours, theirs] = [expected.get(revision), found.get(revision)]
      const what = `closing ${revision}`
      if (!ours || !theirs) return [{ what, recounted: ours ? ours.at : 'none', stored: theirs ? theirs.at : 'none' }]
      return differencesIn(what, ours, pick(ours, theirs))
    }),
  ])
}

export const lineOf = ({ companyId, ticketId, what, recounted, stored }: Difference): string =>
  `DIFFERENT company ${companyId}${ticketId === null ? '' : ` ticket ${ticketId}`} ${what}: the log gives ${shown(recounted)}, the read models ${shown(stored)}`
const shown = (value: unknown) => (value === undefined ? 'nothing' : typeof value === 'string' ? value : JSON.stringify(value))
