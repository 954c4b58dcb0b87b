import type { Static } from 'typebox'
import * as Type from 'typebox'
import { signedIn } from '#domain/access.ts'
import { Dictionary, del, get, Id, Nullable, Page, post, put, Search, Text, topic } from '#domain/contract.ts'

const Coloured = Type.Object({ id: Id, name: Type.String(), color: Type.String() })
const OnOff = Type.Enum(['enabled', 'disabled'])

/** A colleague as pickers and lists show them. */
export const UserRow = Type.Object({
  id: Id,
  companyId: Id,
  name: Type.String(),
  email: Type.String(),
  profile: Type.Enum(['admin', 'user']),
  color: Type.String(),
  /** A signed address that lasts until the end of tomorrow. */
  profileImage: Nullable(Type.String()),
  online: Type.Boolean(),
  queues: Type.Array(Coloured),
})
export type UserRow = Static<typeof UserRow>

/** The signed-in user as the published language writes it: `allTicket` says enable or disable, the others enabled or disabled. */
export const Me = Type.Object({
  id: Id,
  name: Type.String(),
  email: Type.String(),
  profile: Type.Enum(['admin', 'user']),
  super: Type.Boolean(),
  companyId: Id,
  company: Type.Object({
    id: Id,
    name: Type.String(),
    dueDate: Nullable(Type.String()),
    settings: Type.Array(Type.Object({ key: Type.String(), value: Type.String() })),
  }),
  queues: Type.Array(Coloured),
  whatsappId: Nullable(Id),
  allTicket: Type.Enum(['enable', 'disable']),
  allowGroup: Type.Boolean(),
  allHistoric: Nullable(OnOff),
  allUserChat: OnOff,
  userClosePendingTicket: OnOff,
  showDashboard: OnOff,
  allowRealTime: OnOff,
  allowConnections: OnOff,
  allowAudit: OnOff,
  defaultTheme: Type.Enum(['light', 'dark']),
  defaultMenu: Type.Enum(['open', 'closed']),
  language: Type.String(),
  defaultTicketsManagerWidth: Type.Integer(),
  color: Type.String(),
  profileImage: Nullable(Type.String()),
  plan: Dictionary(Type.Boolean()),
  /** Numbers come masked (A-LGPD-04). */
  masked: Type.Boolean(),
  /** By how much the house's clock goes before the machine's, in milliseconds; 0 outside the sandbox. */
  aheadMs: Type.Integer(),
  sessionId: Type.String(),
})
export type Me = Static<typeof Me>

/** Megabytes of a picture: a screen sends a square of a few hundred pixels. */
export const pictureLimit = 1

export const languages = ['pt-BR', 'en', 'es', 'tr'] as const

export const users = {
  list: get('/users', { may: signedIn, says: 'Colleagues, newest first.', query: Search, answer: Page('users', UserRow) }),
  choices: get('/users/list', { may: signedIn, says: 'All colleagues, to choose from.', answer: Type.Array(UserRow) }),
  language: put('/users/:id/language', {
    may: signedIn,
    says: 'The language of one’s own screens.',
    body: Type.Object({ language: Type.Enum([...languages]) }, { additionalProperties: false }),
  }),
  /** Published with this spelling. Pixels, 404 to 700 (R-INBOX-08). */
  width: put('/users/toggleChangeWidht/:userId', {
    may: signedIn,
    says: 'The width of one’s own ticket list, in pixels.',
    body: Type.Object({ defaultTicketsManagerWidth: Type.Integer({ minimum: 404, maximum: 700 }) }, { additionalProperties: false }),
  }),
  attach: post('/users/:id/media-upload', {
    may: signedIn,
    says: 'Gives oneself a picture, in place of the one there was: JPEG, PNG, WebP or GIF.',
    body: Type.Object({ userId: Type.Optional(Id), typeArch: Type.Optional(Text(50)) }, { additionalProperties: false }),
    answer: UserRow,
    upload: true,
  }),
  detach: del('/users/:id/media-upload', { may: signedIn, says: 'Takes one’s own picture away.' }),
}

export const userTopic = topic<UserRow>('user', 'user', () => true)
