import type { Flag } from '#domain/access.ts'
import { minuteMs } from '#domain/duration/rules.ts'

/** The published values of each flag: granted, and not granted. */
const written = {
  allTicket: ['enable', 'disable'],
  allowGroup: [true, false],
  allHistoric: ['enabled', 'disabled'],
  allUserChat: ['enabled', 'disabled'],
  userClosePendingTicket: ['enabled', 'disabled'],
  showDashboard: ['enabled', 'disabled'],
  allowRealTime: ['enabled', 'disabled'],
  allowConnections: ['enabled', 'disabled'],
  allowAudit: ['enabled', 'disabled'],
} as const satisfies Record<Flag, readonly [granted: unknown, not: unknown]>

export type Flags = Record<Flag, boolean>
export type PublishedFlags = { [F in Flag]: (typeof written)[F][number] }
const entries = Object.entries(written) as [Flag, readonly [unknown, unknown]][]

export const published = (flags: Partial<Flags>): PublishedFlags =>
  Object.fromEntries(entries.map(([name, [granted, not]]) => [name, flags[name] ? granted : not])) as PublishedFlags

/** The flags that a body contains, as booleans. */
export const grantedBy = (body: { [F in Flag]?: unknown }): Partial<Flags> =>
  Object.fromEntries(entries.flatMap(([name, [granted]]) => (body[name] === undefined ? [] : [[name, body[name] === granted]])))

/** Minimum password length by profile. An admin can change every user, so their password is longer; stored passwords stay valid. */
export const shortestPassword = { admin: 8, user: 5 } as const
export const isTooShort = (password: string, { profile }: { profile: 'admin' | 'user' }): boolean =>
  password.length < shortestPassword[profile]

/** The languages of the user interface; the first is the fallback. */
export const languages = ['pt-BR', 'en', 'es', 'tr'] as const

/** A user without input for this time counts as away (A-ROT-01). */
export const idleAfterMs = 10 * minuteMs
