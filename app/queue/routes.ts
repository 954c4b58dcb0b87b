import type { Kysely } from 'kysely'
import { refuse } from '#domain/errors.ts'
import { queue, type queues } from '#domain/queue/contract.ts'
import type { Database } from '#projections/database.ts'
import { crud } from '../http/crud.ts'
import type { Handlers } from '../http/serve.ts'

/** R-QUEUE-02: the unique index on the colour says so; that on the name is everyone's business. */
const oneColour = async <T>(act: Promise<T>): Promise<T> => {
  try {
    return await act
  } catch (error) {
    if ((error as { constraint?: string }).constraint === 'queue_color') refuse('ERR_QUEUE_COLOR_ALREADY_EXISTS')
    throw error
  }
}

export const queueRoutes = ({ db }: { db: Kysely<Database> }): Handlers<typeof queues> => {
  const plain = crud(db, queue)
  return {
    ...plain,
    list: ({ viewer }) =>
      db.selectFrom('queue').selectAll().where('companyId', '=', viewer.companyId).orderBy('orderQueue').orderBy('id').execute(),
    create: ({ body, ...ask }) => oneColour(plain.create({ ...ask, body: { ...body, name: body.name.trim() } })),
    update: ({ body, ...ask }) => oneColour(plain.update({ ...ask, body: { ...body, name: body.name.trim() } })),
  }
}
