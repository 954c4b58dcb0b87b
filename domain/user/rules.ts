import { type Flag, flags } from '#domain/access.ts'

/** What somebody can be granted: of the real-time panel there is no screen yet, so that flag is kept as it is given and offered nowhere. */
export const offered = flags.filter((name) => name !== 'allowRealTime')

/** Each flag as the published language writes it: where it is granted, and where it is not. */
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

/** Of a body the flags that it names. */
export const grantedBy = (body: { [F in Flag]?: unknown }): Partial<Flags> =>
  Object.fromEntries(entries.flatMap(([name, [granted]]) => (body[name] === undefined ? [] : [[name, body[name] === granted]])))

/** In which the house speaks to its users; the first is what is said where another lacks. */
export const languages = ['pt-BR', 'en', 'es', 'tr'] as const

/** Without input for so long, somebody counts as away (A-ROT-01). */
export const idleAfterMs = 10 * 60_000
