import type { Static } from 'typebox'
import * as Type from 'typebox'
import { auditor } from '#domain/access.ts'
import { Dictionary, get, Id, Moment, Nullable, PageNumber, Text } from '#domain/contract.ts'

/** The kinds of entries in the security log (A-AUTH-13). */
export const securityKinds = [
  'signedIn',
  'signedOut',
  'signInRefused',
  'signInPaused',
  'sessionEnded',
  'accessChanged',
  'passwordSet',
  'passwordLinkMade',
  'exported',
  'replayed',
  'erased',
  'keyRotated',
  'settingChanged',
  'companyMade',
  'demoRemoved',
] as const
export type SecurityKind = (typeof securityKinds)[number]

/** Ids and names only; never message content, never a secret. */
export type SecurityDetail = Record<string, string | number | boolean | null>

export const SecurityRow = Type.Object({
  id: Id,
  /** 0: an entry without a company. */
  companyId: Type.Integer({ minimum: 0 }),
  n: Type.Integer(),
  at: Moment,
  kind: Type.Enum([...securityKinds]),
  user: Nullable(Type.Object({ id: Id, name: Type.String() })),
  address: Nullable(Type.String()),
  detail: Dictionary(Type.Unknown()),
  hash: Type.String(),
})
export type SecurityRow = Static<typeof SecurityRow>

const Filter = Type.Object({
  searchParam: Type.Optional(Text(200)),
  kind: Type.Optional(Type.Enum([...securityKinds])),
  from: Type.Optional(Type.String({ format: 'date-time' })),
  to: Type.Optional(Type.String({ format: 'date-time' })),
  /** The number of an entry; returns it with its neighbors. */
  near: Type.Optional(Type.Integer({ minimum: 0 })),
  pageNumber: Type.Optional(PageNumber),
})

const chain = { events: Type.Integer(), holds: Type.Boolean(), brokenAt: Nullable(Type.Integer()) }

export const security = {
  list: get('/security-log', {
    may: auditor,
    summary: 'Lists sign-ins, refusals and access changes, newest first; filtered by kind, time, number and user, address or ticket.',
    query: Filter,
    answer: Type.Object({ events: Type.Array(SecurityRow), hasMore: Type.Boolean() }),
  }),
  check: get('/security-log/check', {
    may: auditor,
    summary: 'Verifies the chain of entries and that every session has its sign-in; for a super user also the platform’s chain.',
    answer: Type.Object({ ...chain, platform: Nullable(Type.Object(chain)) }),
  }),
}
