import { idFrom } from '../event-store/event-codec.ts'

/** The provider id of an outbound message, created before the send, so that a retry sends no second message. */
export const externalIdFrom = (clientId: string) => `G${idFrom(`external/${clientId}`).replaceAll('-', '').toUpperCase()}`
