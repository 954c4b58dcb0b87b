import type { TicketEvent } from '#domain/ticket/events.ts'
import { histories } from '../history/histories.ts'
import { thread } from '../message/thread.ts'
import { notes } from '../note/notes.ts'
import type { Projector } from '../projector.ts'
import { inbox } from './inbox.ts'
import { log } from './log.ts'

/** Every table that a ticket's stream fills, under one checkpoint: whoever waits for it sees list and thread agree. */
export const ticketProjector: Projector<TicketEvent> = { name: 'tickets', version: 10, folds: [inbox, thread, log, notes, histories] }
