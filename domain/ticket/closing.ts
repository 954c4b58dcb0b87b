import * as Type from 'typebox'
import { admin } from '../access.ts'
import { get, Id, Nullable, post } from '../contract.ts'
import { tickets } from './contract.ts'

const Listed = Type.Object(
  { ...tickets.list.query.properties, status: Type.Enum(['pending', 'open', 'group']) },
  { additionalProperties: false },
)

/** Closing what a list shows: the same filters, and nothing that they leave out. */
export const closing = {
  asked: get('/tickets/listed/close', {
    may: admin,
    says: 'How many tickets a list holds with these filters, and who serves them.',
    query: Listed,
    answer: Type.Object({
      count: Type.Integer(),
      holders: Type.Array(Type.Object({ user: Nullable(Type.Object({ id: Id, name: Type.String() })), count: Type.Integer() })),
    }),
  }),
  close: post('/tickets/listed/close', {
    may: admin,
    says: 'Closes every ticket that a list holds with these filters; `batch` takes it back.',
    body: Listed,
    answer: Type.Object({ count: Type.Integer(), batch: Type.String() }),
  }),
}
