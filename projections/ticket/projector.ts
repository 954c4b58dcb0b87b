import type { TicketEvent } from '#domain/ticket/events.ts'
import { ticketStream } from '#domain/ticket/stream.ts'
import { histories } from '../history/histories.ts'
import { thread } from '../message/thread.ts'
import { notes } from '../note/notes.ts'
import type { Projector } from '../projector.ts'
import { facts } from '../report/facts.ts'
import { traffic } from '../traffic/traffic.ts'
import { inbox } from './inbox.ts'
import { log } from './log.ts'

/** The read models of the ticket streams. */
export const ticketProjector: Projector<TicketEvent> = {
  name: 'tickets',
  of: ticketStream,
  models: [
    { name: 'inbox', version: 18, folds: [inbox] },
    { name: 'thread', version: 13, folds: [thread] },
    { name: 'log', version: 15, folds: [log] },
    { name: 'notes', version: 10, folds: [notes] },
    { name: 'histories', version: 12, folds: [histories] },
    { name: 'traffic', version: 13, folds: [traffic] },
    { name: 'facts', version: 2, folds: [facts] },
  ],
}
