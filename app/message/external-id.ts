import { idFrom } from '../event-store/event-codec.ts'

/** The provider's id of a message of ours, made before the call, so that the same message is never two. */
export const externalIdFrom = (clientId: string) => `G${idFrom(`external/${clientId}`).replaceAll('-', '').toUpperCase()}`
