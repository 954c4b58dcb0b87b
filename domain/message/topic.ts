import type { Viewer } from '#domain/access.ts'
import { canSee } from '#domain/ticket/topic.ts'
import { topic } from '#domain/topic.ts'
import type { FailedMessage, MessageRow } from './contract.ts'

/** Sends only `refresh`, when the answer of GET /messages/failed has changed. */
export const failedTopic = topic<FailedMessage>('failedMessage', 'message', () => true)
export const messageTopic = topic<MessageRow>('appMessage', 'message', (viewer: Viewer, { ticket }) => canSee(viewer, ticket))
