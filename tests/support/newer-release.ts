import type { TicketEvent } from '#domain/ticket/events.ts'
import type { Fold, Projector } from '#projections/projector.ts'
import { ticketProjector } from '#projections/ticket/projector.ts'

/** The prefix that the next release's thread writes before each message. */
export const mark = 'v2 '

/** The projector of the next release: its thread has another version and writes other rows. */
export function newer(of: Projector<TicketEvent>): Projector<TicketEvent> {
  const marked = ({ on, ...fold }: Fold<TicketEvent, any>): Fold<TicketEvent, any> => ({
    ...fold,
    on: Object.fromEntries(
      Object.entries(on).map(([type, next]) => [
        type,
        (row: any, event: never, key: never) => {
          const now = (next as any)(row, event, key)
          return now && { ...now, words: mark + now.words.replace(mark, '') }
        },
      ]),
    ),
  })
  const models = of.models.map((model) =>
    model.name === 'thread' ? { ...model, version: model.version + 1, folds: model.folds.map(marked) } : model,
  )
  return { ...of, models }
}

/* Imported before `app/main.ts`, it turns the process into one of the next release. */
if (process.env.NEWER_RELEASE) Object.assign(ticketProjector, newer(ticketProjector))
