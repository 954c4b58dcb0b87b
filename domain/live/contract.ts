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

export type Emit = `${'join' | 'leave'}${RoomName}` | 'userStatus' | 'typing' | 'working' | 'beat'
export const emits: Emit[] = [
  ...roomNames.flatMap((name): Emit[] => [`join${name}`, `leave${name}`]),
  ...(['userStatus', 'typing', 'working', 'beat'] as const),
]

/** What a user does in a ticket (A-HERE-01), the strongest first. */
export const activities = ['replies', 'notes', 'draft', 'views', 'left'] as const
export type Activity = (typeof activities)[number]
/** With `working`. `tab`: one page of the user. `asks`: the page was opened and does not know what its colleagues do. */
export type WorkingSignal = { ticketId: number; doing: Activity; tab: string; asks?: boolean }
/** On the channel `colleague`: what another user does in a ticket. A page repeats it, and is gone `colleagueGoneMs` after the last frame. */
export type ColleagueFrame = Frame & WorkingSignal & { userId: number; name: string }
export const colleagueBeatMs = 20_000
export const colleagueGoneMs = 55_000
