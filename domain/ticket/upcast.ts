import type { StreamCategory } from '#domain/stream.ts'
import type { TicketEvent } from './events.ts'

export const upcasts: StreamCategory<TicketEvent>['upcasts'] = {
  /** Of a participant of a group only the name was told. */
  'MessageReceived@1': ({ senderName, ...rest }) => ({
    ...rest,
    participant: senderName == null ? null : { id: '', name: senderName },
    author: null,
  }),
}
