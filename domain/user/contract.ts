import type { Static } from 'typebox'
import * as Type from 'typebox'
import { admin, signedIn, type Viewer } from '#domain/access.ts'
import { Dictionary, del, get, Id, Name, Nullable, Page, post, put, RelatedIds, resource, Search, Text } from '#domain/contract.ts'
import type { Case } from '#domain/errors.ts'
import { NotificationSettings } from '#domain/notification/contract.ts'
import { passwordLength } from '#domain/session/rules.ts'
import { SettingRow } from '#domain/setting/contract.ts'
import { languages } from '#domain/user/rules.ts'

const Coloured = Type.Object({ id: Id, name: Type.String(), color: Type.String() })
const onOff = (value: 'enabled' | 'disabled') => Type.Enum(['enabled', 'disabled'], { default: value })
const Time = (value: string) => Type.String({ pattern: '^([01]\\d|2[0-3]):[0-5]\\d$', default: value })

/** All permission flags, with their published names and values. */
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

/** The fields that only an admin sets (A-USER-02). */
const flagNames = Object.keys(rights) as (keyof typeof rights)[]
const othersByAdmin = ['profile', 'queueIds', 'reportQueueIds', 'startWork', 'endWork'] as const
export const byAdmin = [...othersByAdmin, ...flagNames]
const tastes = {
  defaultTheme: Type.Enum(['light', 'dark'], { default: 'light' }),
  defaultMenu: Type.Enum(['open', 'closed'], { default: 'open' }),
  language: Type.Enum([...languages], { default: 'pt-BR' }),
}

/**
 * Whether tickets are assigned to the user automatically (A-ROT-01). `away`: set by the user; `idle`: 10 minutes without input;
 * `full`: the company's limit of open tickets is reached.
 */
const Available = Type.Enum(['available', 'away', 'idle', 'full', 'offline'])
export type Availability = Static<typeof Available>

/** A user as pickers and lists show it. */
export const UserRow = Type.Object({
  id: Id,
  companyId: Id,
  name: Type.String(),
  email: Type.String(),
  profile: Type.Enum(['admin', 'user']),
  super: Type.Boolean(),
  color: Type.String(),
  /** A signed URL that is valid until the end of tomorrow. */
  profileImage: Nullable(Type.String()),
  /** The same address; both names are published. */
  avatar: Nullable(Type.String()),
  online: Type.Boolean(),
  availability: Available,
  queues: Type.Array(Coloured),
})
export type UserRow = Static<typeof UserRow>

/** All fields of a user, for the user and for admins. */
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
    /** The queues that dashboard, panel and report are limited to, unless the user is an admin; null: all, empty: none (A-VIS-04). */
    reportQueueIds: Nullable(Type.Array(Id, { maxItems: 200, uniqueItems: true })),
    whatsappId: Nullable(Id),
    /** The working hours, in which the user may sign in (A-AUTH-08). */
    startWork: Time('00:00'),
    endWork: Time('23:59'),
    farewellMessage: Nullable(Text(5000)),
    color: Type.String({ pattern: '^#[0-9a-fA-F]{6}$', default: '#5c7080' }),
    ...rights,
    ...tastes,
  },
  readOnly: {
    queues: Type.Array(Coloured),
    reportQueues: Nullable(Type.Array(Coloured)),
    super: Type.Boolean(),
    online: Type.Boolean(),
    availability: Available,
    profileImage: Nullable(Type.String()),
    /** The same address; both names are published. */
    avatar: Nullable(Type.String()),
    /** The width of the ticket list in pixels, from 404 to 700. */
    defaultTicketsManagerWidth: Type.Integer(),
    /** Whether the user has a password. */
    hasPassword: Type.Boolean(),
  },
  search: ['name', 'email'],
  related: {
    queueIds: {
      ...{ table: 'queue', missing: 'ERR_NO_QUEUE_FOUND', among: { retiredAt: null } },
      ...{ through: 'userQueue', mine: 'userId', theirs: 'queueId', as: 'queues', columns: ['name', 'color'] },
    },
    reportQueueIds: { table: 'queue', missing: 'ERR_NO_QUEUE_FOUND', among: { retiredAt: null } },
    whatsappId: { table: 'connection', missing: 'ERR_NO_WAPP_FOUND' },
  },
  read: signedIn,
  write: admin,
})
export type UserDetail = Static<typeof user.Row>
const password = Type.Optional(Text(passwordLength.max, passwordLength.min))
/** The company, if a super user names another one; ignored for other callers. */
const companyId = Type.Optional(Id)
export const UserBody = Type.Object({ ...user.Body.properties, password, companyId }, { additionalProperties: false })
export const UserChange = Type.Object(
  /** Changing the own e-mail or password requires `currentPassword`. */
  { ...user.Change.properties, password, currentPassword: Type.Optional(Text(200, 1)) },
  { additionalProperties: false },
)

/** Whether the viewer may change a user. Only a super user changes a super user. */
export const mayEditUser = (viewer: Viewer, { super: isSuper }: { super: boolean }): boolean =>
  viewer.profile === 'admin' && (viewer.super || !isSuper)

/** The signed-in user. `allTicket` is enable or disable, the other flags are enabled or disabled, as published. */
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
    settings: Type.Array(SettingRow),
  }),
  queues: Type.Array(Coloured),
  /** The queues that dashboard, panel and report show; null: all. */
  reportQueues: Nullable(Type.Array(Coloured)),
  whatsappId: Nullable(Id),
  ...rights,
  ...tastes,
  defaultTicketsManagerWidth: Type.Integer(),
  notifications: NotificationSettings,
  color: Type.String(),
  profileImage: Nullable(Type.String()),
  /** The same address; both names are published. */
  avatar: Nullable(Type.String()),
  plan: Dictionary(Type.Boolean()),
  /** Phone numbers are masked for this user (A-LGPD-04). */
  masked: Type.Boolean(),
  /** The user set this status. */
  away: Type.Boolean(),
  /** Offset of the simulated clock from the system clock, in milliseconds; 0 outside the sandbox. */
  aheadMs: Type.Integer(),
  sessionId: Type.String(),
  /** A secret of 32 bytes as base64url, unique to the user. Devices encrypt unsent drafts with it. */
  draftKey: Type.String(),
  /** The address of video meetings; null: this server offers none (A-TICKET-20). */
  meetingBaseUrl: Nullable(Type.String()),
})
export type Me = Static<typeof Me>

/** Maximum size of a profile picture in megabytes; screens send a square of a few hundred pixels. */
export const pictureLimit = 1

export const users = {
  list: get('/users', {
    may: signedIn,
    summary: 'Lists the users of the company by name; a super user may name another company.',
    query: Type.Object({ ...Search.properties, companyId }),
    answer: Page('users', UserRow),
  }),
  find: { ...user.calls.find, summary: 'Shows all fields of the caller, or for an admin of any user.' },
  create: {
    ...user.calls.create,
    summary: 'Creates a user. A user without a password sets one by a link.',
    body: UserBody,
    errors: ['ERR_NOT_FOUND', 'ERR_PLAN_USERS', 'ERR_DUPLICATED_EMAIL', 'ERR_WEAK_PASSWORD', 'ERR_SHORT_PASSWORD'] as Case[],
  },
  update: {
    ...user.calls.update,
    may: signedIn,
    summary:
      'Changes the caller, or for an admin any user; omitted fields stay. Only admins change profile, queues, hours and permissions; nobody changes the own profile. Open tickets of a removed queue wait again.',
    body: UserChange,
    ignores: ['companyId'],
    errors: [
      'ERR_ROW_CHANGED',
      'ERR_DUPLICATED_EMAIL',
      'ERR_WRONG_PASSWORD',
      'ERR_WEAK_PASSWORD',
      'ERR_SHORT_PASSWORD',
      'ERR_LAST_ADMIN',
      'ERR_INVALID_CREDENTIALS/tooMany',
    ] as Case[],
  },
  remove: {
    ...user.calls.remove,
    summary: 'Retires a user: sign-in ends, open tickets wait again, the name stays, and the e-mail is free (A-USER-03).',
    errors: ['ERR_OWN_USER', 'ERR_LAST_ADMIN'] as Case[],
  },
  invite: post('/users/:id/password-link', {
    may: admin,
    summary:
      'Creates a link with which a user sets the password once, within three days; earlier links become invalid. It is mailed if mail is configured, otherwise answered (A-USER-04).',
    answer: Type.Object({ sent: Type.Boolean(), link: Nullable(Type.String()), failed: Nullable(Type.String()) }),
  }),
  choices: get('/users/list', {
    may: signedIn,
    summary: 'Lists all users of the company for pickers; a super user may name another company.',
    query: Type.Object({ companyId }),
    answer: Type.Array(UserRow),
  }),
  language: put('/users/:id/language', {
    may: signedIn,
    summary: 'Sets the language of the caller’s screens.',
    body: Type.Object({ language: Type.Enum([...languages]) }, { additionalProperties: false }),
  }),
  notifications: put('/users/:id/notifications', {
    may: signedIn,
    summary: 'Sets sounds, volume, quiet hours and browser notices of the caller.',
    body: NotificationSettings,
  }),
  away: put('/users/:id/away', {
    may: signedIn,
    summary: 'Sets the caller to away or back; nothing is assigned automatically to a user who is away (A-ROT-01).',
    body: Type.Object({ away: Type.Boolean() }, { additionalProperties: false }),
  }),
  /** Published with this spelling. Pixels, 404 to 700 (R-INBOX-08). */
  width: put('/users/toggleChangeWidht/:userId', {
    may: signedIn,
    summary: 'Sets the width of the caller’s ticket list in pixels.',
    body: Type.Object({ defaultTicketsManagerWidth: Type.Integer({ minimum: 404, maximum: 700 }) }, { additionalProperties: false }),
  }),
  attach: post('/users/:id/media-upload', {
    may: signedIn,
    summary: 'Uploads the picture of the caller, or for an admin of any user, and replaces the previous one: JPEG, PNG, WebP or GIF.',
    body: Type.Object({ userId: Type.Optional(Id), typeArch: Type.Optional(Text(50)) }, { additionalProperties: false }),
    answer: UserRow,
    upload: true,
  }),
  detach: del('/users/:id/media-upload', { may: signedIn, summary: 'Removes the picture of the caller, or for an admin of any user.' }),
}
