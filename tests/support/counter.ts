import { refuse } from '#domain/errors.ts'
import { type Aggregate, asJson } from '#domain/stream.ts'
import type { Fold, Projector } from '#projections/projector.ts'

/** A second stream category without a contact, with everything that a feature module contributes. */
export type CounterEvent = { type: 'Added'; amount: number } | { type: 'Stopped' }
export type CounterCommand = { type: 'Add'; amount: number } | { type: 'Stop' }
type Counter = { sum: number; stopped: boolean }

export const counterStream: Aggregate<Counter, CounterCommand, CounterEvent> = {
  stream: 'counter',
  initial: { sum: 0, stopped: false },
  decide: {
    Add: ({ stopped }, { amount }) => (stopped ? refuse('ERR_TICKET_NOT_OPEN') : [{ type: 'Added', amount }]),
    Stop: ({ stopped }) => (stopped ? [] : [{ type: 'Stopped' }]),
  },
  evolve: {
    Added: (now, { amount }) => ({ ...now, sum: now.sum + amount }),
    Stopped: (now) => ({ ...now, stopped: true }),
  },
  personal: {},
  upcasts: { 'Added@1': ({ by: amount }) => ({ amount }) },
  snapshot: { version: 1, ...asJson },
}

type Row = { id: number; companyId: number; sum: number; stopped: boolean }
export const counterTable = `create table counter (id integer primary key, company_id integer not null, sum integer not null, stopped boolean not null)`
/** Sums that the read model rejects. */
export const refused = new Set<number>()
const rows: Fold<CounterEvent, Row> = {
  table: 'counter' as never,
  key: 'id',
  affectedKeys: ({ aggregateId }) => [aggregateId],
  on: {
    Added: (row, { aggregateId: id, companyId, amount }) => {
      if (refused.has(amount)) throw new Error(`${amount} is too much`)
      return { id, companyId, sum: (row?.sum ?? 0) + amount, stopped: false }
    },
    Stopped: (row) => row && { ...row, stopped: true },
  },
}
export const counters: Projector<CounterEvent> = {
  name: 'counters',
  of: counterStream,
  models: [{ name: 'counter', version: 1, folds: [rows] }],
}
