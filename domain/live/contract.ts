/** What is said on the socket at /api/live, which a client opens with this subprotocol and `bearer.<token>`. */
export const protocol = 'guiche.v1'
/** How often the server says that it is there: a page cannot hear a ping. */
export const beatMs = 30_000

/** Down: what happened on `company-<id>-<name>`. */
export type Frame = { channel: string; action: string; id?: number; [field: string]: unknown }
/** Up: `data` says which room, where it is about one. */
export type ClientEmit = { emit: Emit; data?: unknown }

/** What must be joined before its frames come, by what names one of its kind. */
type Named = { Tickets: { status: string }; Notification: undefined; ChatBox: { ticketId: number }; History: { uuid: string } }
export type RoomName = keyof Named
export type Room = { [N in RoomName]: Named[N] extends undefined ? { name: N; data?: undefined } : { name: N; data: Named[N] } }[RoomName]
export const roomNames = ['Tickets', 'Notification', 'ChatBox', 'History'] as const satisfies RoomName[]

export type Emit = `${'join' | 'leave'}${RoomName}` | 'userStatus' | 'typing' | 'beat'
export const emits: Emit[] = [...roomNames.flatMap((name): Emit[] => [`join${name}`, `leave${name}`]), 'userStatus', 'typing', 'beat']
