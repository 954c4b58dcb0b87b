/** The subprotocol of the socket at /api/live. A client opens it with this name and `bearer.<token>`. */
export const protocol = 'guiche.v1'
/** Interval of the server's heartbeat frames, because a browser page cannot see WebSocket pings. */
export const beatMs = 30_000

/** From the server: a change on the channel `company-<id>-<name>`. */
export type Frame = { channel: string; action: string; id?: number; [field: string]: unknown }
/** From the client. `data`: the room, if the emit concerns one. */
export type ClientEmit = { emit: Emit; data?: unknown }

/** The rooms that a client joins to get their frames, with the data that identifies one room. */
type Named = { Tickets: { status: string }; Notification: undefined; ChatBox: { ticketId: number }; History: { uuid: string } }
export type RoomName = keyof Named
export type Room = { [N in RoomName]: Named[N] extends undefined ? { name: N; data?: undefined } : { name: N; data: Named[N] } }[RoomName]
export const roomNames = ['Tickets', 'Notification', 'ChatBox', 'History'] as const satisfies RoomName[]

export type Emit = `${'join' | 'leave'}${RoomName}` | 'userStatus' | 'typing' | 'beat'
export const emits: Emit[] = [...roomNames.flatMap((name): Emit[] => [`join${name}`, `leave${name}`]), 'userStatus', 'typing', 'beat']
