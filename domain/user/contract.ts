import type { Static } from 'typebox'
import * as Type from 'typebox'
import { admin, signedIn, type Viewer } from '#domain/access.ts'
import { Dictionary, del, get, Id, Name, Nullable, Page, post, put, RelatedIds, resource, Search, Text } from '#domain/contract.ts'
import type { Case } from '#domain/errors.ts'
import { passwordLength } from '#domain/session/rules.ts'
import { languages } from '#domain/user/rules.ts'

const Coloured = Type.Object({ id: Id, name: Type.String(), color: Type.String() })
const onOff = (value: 'enabled' | 'disabled') => Type.Enum(['enabled', 'disabled'], { default: value })
const Time = (value: string) => Type.String({ pattern: '^([01]\\d|2[0-3]):[0-5]\\d$', default: value })

/** Every flag, in the published words (document 1, section 6). */
const rights = {
  allTicket: Type.Enum(['enable', 'disable'], { default: 'disable' }),
  allowGroup: Type.Boolean({ default: false }),
  allHistoric: Nullable(Type.Enum(['enabled', 'disabled'])),
  allUserChat: onOff('disabled'),
  userClosePendingTicket: onOff('enabled'),
  showDashboard: onOff('disabled'),
  allowRealTime: onOff('disabled'),
  allowConnections: onOff('disabled'),
  allowAudit: onOff('disabled'),
}

/** What only an admin sets, of anybody (A-USER-02). */
const flagNames = Object.keys(rights) as (keyof typeof rights)[]
export const byAdmin = ['profile' as const, 'queueIds' as const, 'startWork' as const, 'endWork' as const, ...flagNames]
const tastes = {
  defaultTheme: Type.Enum(['light', 'dark'], { default: 'light' }),
  defaultMenu: Type.Enum(['open', 'closed'], { default: 'open' }),
  language: Type.Enum([...languages], { default: 'pt-BR' }),
}

/** Whether something is given to them by itself: away by their own word or after ten minutes without input, full by the company's limit (A-ROT-01). */
const Available = Type.Enum(['available', 'away', 'full', 'offline'])
export type Availability = Static<typeof Available>

/** A colleague as pickers and lists show them. */
export const UserRow = Type.Object({
  id: Id,
  companyId: Id,
  name: Type.String(),
  email: Type.String(),
  profile: Type.Enum(['admin', 'user']),
  super: Type.Boolean(),
  color: Type.String(),
  /** A signed address that lasts until the end of tomorrow. */
  profileImage: Nullable(Type.String()),
  online: Type.Boolean(),
  availability: Available,
  queues: Type.Array(Coloured),
})
export type UserRow = Static<typeof UserRow>

/** All of a user, for themselves and for admins. */
export const user = resource('/users', {
  list: 'users',
  table: 'user',
  one: 'a user',
  missing: 'ERR_NO_USER_FOUND',
  fields: {
    name: Name(50, 2), // R-VALID-04
    email: Type.String({ format: 'email', maxLength: 250 }),
    profile: Type.Enum(['admin', 'user'], { default: 'user' }),
    queueIds: RelatedIds(200),
    whatsappId: Nullable(Id),
    /** When they may sign in (A-AUTH-08). */
    startWork: Time('00:00'),
    endWork: Time('23:59'),
    farewellMessage: Nullable(Text(5000)),
    color: Type.String({ pattern: '^#[0-9a-fA-F]{6}$', default: '#5c7080' }),
    ...rights,
    ...tastes,
  },
  readOnly: {
    queues: Type.Array(Coloured),
    super: Type.Boolean(),
    online: Type.Boolean(),
    availability: Available,
    profileImage: Nullable(Type.String()),
    /** Whether they have set one, or somebody has for them. */
    hasPassword: Type.Boolean(),
  },
  search: ['name', 'email'],
  related: {
    queueIds: {
      ...{ table: 'queue', missing: 'ERR_NO_QUEUE_FOUND', among: { retiredAt: null } },
      ...{ through: 'userQueue', mine: 'userId', theirs: 'queueId', as: 'queues', columns: ['name', 'color'] },
    },
    whatsappId: { table: 'connection', missing: 'ERR_NO_WAPP_FOUND' },
  },
  read: signedIn,
  write: admin,
})
export type UserDetail = Static<typeof user.Row>
const password = Type.Optional(Text(passwordLength.max, passwordLength.min))
/** Another company, where a super user names it; of everybody else it is ignored. */
const companyId = Type.Optional(Id)
export const UserBody = Type.Object({ ...user.Body.properties, password, companyId }, { additionalProperties: false })
export const UserChange = Type.Object(
  /** One's own e-mail and password are changed by who knows the password. */
  { ...user.Change.properties, password, currentPassword: Type.Optional(Text(200, 1)) },
  { additionalProperties: false },
)

/** Whether somebody changes users: nobody but a super user one of these. */
export const mayEditUser = (viewer: Viewer, { super: isSuper }: { super: boolean }): boolean =>
  viewer.profile === 'admin' && (viewer.super || !isSuper)

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
  ...rights,
  ...tastes,
  defaultTicketsManagerWidth: Type.Integer(),
  color: Type.String(),
  profileImage: Nullable(Type.String()),
  plan: Dictionary(Type.Boolean()),
  /** Numbers come masked (A-LGPD-04). */
  masked: Type.Boolean(),
  /** They have said so themselves. */
  away: Type.Boolean(),
  /** By how much the house's clock goes before the machine's, in milliseconds; 0 outside the sandbox. */
  aheadMs: Type.Integer(),
  sessionId: Type.String(),
  /** Base64url of 32 bytes that only this user is given: what they typed and have not sent is sealed with it on their devices. */
  draftKey: Type.String(),
})
export type Me = Static<typeof Me>

/** Megabytes of a picture: a screen sends a square of a few hundred pixels. */
export const pictureLimit = 1

export const users = {
  list: get('/users', {
    may: signedIn,
    says: 'Colleagues, by name; for a super user those of the company that is named.',
    query: Type.Object({ ...Search.properties, companyId }),
    answer: Page('users', UserRow),
  }),
  find: { ...user.calls.find, says: 'All of a user: oneself, or for an admin anybody.' },
  create: {
    ...user.calls.create,
    says: 'Makes a user. Who is given no password sets one by a link.',
    body: UserBody,
    refuses: ['ERR_NOT_FOUND', 'ERR_PLAN_USERS', 'ERR_DUPLICATED_EMAIL', 'ERR_WEAK_PASSWORD'] as Case[],
  },
  update: {
    ...user.calls.update,
    may: signedIn,
    says: 'Changes oneself, or for an admin anybody; what is not given stays. Profile, queues, hours and permissions are an admin’s to change, and nobody’s own profile is. What an agent serves in a queue that is taken from them waits again.',
    body: UserChange,
    ignores: ['companyId'],
    refuses: [
      'ERR_ROW_CHANGED',
      'ERR_DUPLICATED_EMAIL',
      'ERR_WRONG_PASSWORD',
      'ERR_WEAK_PASSWORD',
      'ERR_LAST_ADMIN',
      'ERR_INVALID_CREDENTIALS/tooMany',
    ] as Case[],
  },
  remove: {
    ...user.calls.remove,
    says: 'Retires a user: they sign in no more, what they serve waits again, their name stays, and their e-mail is free (A-USER-03).',
    refuses: ['ERR_OWN_USER', 'ERR_LAST_ADMIN'] as Case[],
  },
  invite: post('/users/:id/password-link', {
    may: admin,
    says: 'A link by which a user sets their own password, for three days, once; those of before lead nowhere. Mailed where mail is set up, else to be passed on (A-USER-04).',
    answer: Type.Object({ sent: Type.Boolean(), link: Nullable(Type.String()), failed: Nullable(Type.String()) }),
  }),
  choices: get('/users/list', {
    may: signedIn,
    says: 'All colleagues, to choose from; for a super user those of the company that is named.',
    query: Type.Object({ companyId }),
    answer: Type.Array(UserRow),
  }),
  language: put('/users/:id/language', {
    may: signedIn,
    says: 'The language of one’s own screens.',
    body: Type.Object({ language: Type.Enum([...languages]) }, { additionalProperties: false }),
  }),
  away: put('/users/:id/away', {
    may: signedIn,
    says: 'Says that one is away, or is back: nothing is given to who is away by itself (A-ROT-01).',
    body: Type.Object({ away: Type.Boolean() }, { additionalProperties: false }),
  }),
  /** Published with this spelling. Pixels, 404 to 700 (R-INBOX-08). */
  width: put('/users/toggleChangeWidht/:userId', {
    may: signedIn,
    says: 'The width of one’s own ticket list, in pixels.',
    body: Type.Object({ defaultTicketsManagerWidth: Type.Integer({ minimum: 404, maximum: 700 }) }, { additionalProperties: false }),
  }),
  attach: post('/users/:id/media-upload', {
    may: signedIn,
    says: 'Gives oneself, or for an admin anybody, a picture, in place of the one there was: JPEG, PNG, WebP or GIF.',
    body: Type.Object({ userId: Type.Optional(Id), typeArch: Type.Optional(Text(50)) }, { additionalProperties: false }),
    answer: UserRow,
    upload: true,
  }),
  detach: del('/users/:id/media-upload', { may: signedIn, says: 'Takes one’s own picture away, or for an admin anybody’s.' }),
}
