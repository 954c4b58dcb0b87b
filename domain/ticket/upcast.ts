import type { StreamCategory } from '#domain/stream.ts'
import type { TicketEvent } from './events.ts'

export const upcasts: StreamCategory<TicketEvent>['upcasts'] = {
  /** Version 1 contained only the name of a group participant. */
  'MessageReceived@1': ({ senderName, ...rest }) => ({
    ...rest,
    participant: senderName == null ? null : { id: '', name: senderName },
    author: null,
  }),
}
