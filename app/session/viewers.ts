import { createHash } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { type Kysely, sql } from 'kysely'
import type { Viewer } from '#domain/access.ts'
import { flags as allFlags, anyone, type Gate, signedIn } from '#domain/access.ts'
import { defaultNotifications } from '#domain/notification/rules.ts'
import {
  customerLanguageOf,
  hidesNumbers,
  isSetting,
  publishSetting,
  type SettingKey,
  type Settings,
  settings as settingTable,
} from '#domain/setting/contract.ts'
import type { Me } from '#domain/user/contract.ts'
import { published } from '#domain/user/rules.ts'
import { dayIn } from '#domain/zone/rules.ts'
import type { Database } from '#projections/database.ts'
import type { SigningKey } from '../anchor/signing-key.ts'
import type { Config } from '../config.ts'
import type { Clock } from '../scheduler/clock.ts'
import { settingsOf } from '../setting/read.ts'
import type { MediaStore } from '../storage/media.ts'
import { fileOf } from '../storage/row-file.ts'

export type ViewerSession = { viewer: Viewer; sessionId: string; expired: boolean }
export type ViewerCache = ReturnType<typeof createViewerCache>
type Claims = { sid: string }

/** Whose rights may have changed. */
export type AffectedSessions = { sessionIds: string[] } | { userIds: number[] } | { companyId: number } | 'all'

const freshMs = 10_000

/** Returns whether the session belongs to one of them. */
export function isAffected(affected: AffectedSessions, { viewer, sessionId }: Pick<ViewerSession, 'viewer' | 'sessionId'>): boolean {
  if (affected === 'all') return true
  if ('sessionIds' in affected) return affected.sessionIds.includes(sessionId)
  if ('userIds' in affected) return affected.userIds.includes(viewer.id)
  return affected.companyId === viewer.companyId
}
/** Returns whose rights a notification of the `changes` channel affects; null: nobody's. */
export function rightsAffectedBy(line: string): AffectedSessions | null {
  const [topic, op, company, list = ''] = line.split(' ')
  if (topic === 'session') return { sessionIds: list.split(',') }
  if (topic === 'user') return op === 'presence' ? null : { userIds: list.split(',').map(Number) }
  return topic === 'company' ? { companyId: Number(company) } : null
}

/** The settings that a viewer contains. Other settings affect no rights. */
export const viewerSettings = [
  'enableLGPD',
  'lgpdHideNumber',
  'timeZone',
  'phoneCountry',
  'customerLanguage',
] as const satisfies SettingKey[]

/** Returns whose rights a settings notification affects; null: nobody's. */
export async function settingsAffectedBy(db: Kysely<Database>, line: string): Promise<AffectedSessions | null> {
  const [topic, op, company, list = ''] = line.split(' ')
  if (topic !== 'setting') return null
  const affected = { companyId: Number(company) }
  if (op === 'delete') return affected // the deleted setting can no longer be read
  const changed = db.selectFrom('companySetting').select('id').where('id', 'in', list.split(',').map(Number))
  return (await changed.where('key', 'in', viewerSettings).executeTakeFirst()) ? affected : null
}

/** Finds the viewer of a session. Results are cached briefly and dropped when a related row changes. */
export function createViewerCache(db: Kysely<Database>, clock: Clock, verify: () => FastifyInstance['jwt']) {
  const cache = new Map<string, { until: number; found: Promise<ViewerSession | null>; now?: ViewerSession | null }>()

  async function load(sessionId: string): Promise<ViewerSession | null> {
    const session = await db
      .selectFrom('session')
      .select(['userId', 'expiresAt'])
      .where('id', '=', sessionId)
      .where('endedAt', 'is', null)
      .executeTakeFirst()
    if (!session || session.expiresAt < new Date().toISOString()) return null
    const found = await account(db, clock, session.userId)
    return found?.company.status ? { viewer: found.viewer, sessionId, expired: found.expired } : null
  }

  return {
    async ofToken(token: string): Promise<ViewerSession | null> {
      let claims: Claims
      try {
        claims = verify().verify<Claims>(token)
      } catch {
        return null
      }
      return this.ofSession(claims.sid)
    },
    ofSession(sessionId: string): Promise<ViewerSession | null> {
      const known = cache.get(sessionId)
      if (known && known.until > Date.now()) return known.found
      const found = load(sessionId)
      const one: { until: number; found: Promise<ViewerSession | null>; now?: ViewerSession | null } = {
        until: Date.now() + freshMs,
        found,
      }
      cache.set(sessionId, one)
      found.then(
        (now) => {
          one.now = now
        },
        () => cache.delete(sessionId),
      )
      if (cache.size > 20_000) cache.delete(cache.keys().next().value!)
      return found
    },
    forget(affected: AffectedSessions = 'all'): void {
      // a pending read may return the state before the change
      for (const [id, { now }] of cache) if (!now || isAffected(affected, now)) cache.delete(id)
    },
    /** Returns which of these sessions have ended. */
    async ended(sessionIds: string[]): Promise<Set<string>> {
      const { rows } = await sql<{ id: string }>`
        select id::text from session where id = any(${sessionIds}::uuid[]) and ended_at is null and expires_at > now()`.execute(db)
      const runningIds = new Set(rows.map(({ id }) => id))
      return new Set(sessionIds.filter((id) => !runningIds.has(id)))
    },
  }
}

/** Loads a user with company, plan, queues and settings: the data of the viewer and of `me`. */
export async function account(db: Kysely<Database>, clock: Clock, userId: number) {
  const user = await db
    .selectFrom('user')
    .selectAll()
    .select([fileOf('user'), sql<boolean>`exists (select from user_presence p where p.id = "user".id and p.away)`.as('away')])
    .where('id', '=', userId)
    .where('retiredAt', 'is', null)
    .executeTakeFirst()
  if (!user) return null
  const { reportQueueIds } = user
  const [company, queues, reportQueues, retired, settings] = await Promise.all([
    db
      .selectFrom('company')
      .leftJoin('plan', 'plan.id', 'company.planId')
      .select(['company.id', 'company.name', 'company.status', 'company.dueDate', 'plan.flags as plan'])
      .where('company.id', '=', user.companyId)
      .executeTakeFirstOrThrow(),
    db
      .selectFrom('userQueue')
      .innerJoin('queue', 'queue.id', 'userQueue.queueId')
      .select(['queue.id', 'queue.name', 'queue.color'])
      .where('userQueue.userId', '=', userId)
      .where('queue.retiredAt', 'is', null)
      .orderBy('queue.orderQueue')
      .orderBy('queue.id')
      .execute(),
    user.profile === 'admin' || reportQueueIds === null ? null : queuesNamed(db, reportQueueIds),
    db.selectFrom('retiredQueueUser').select('queueId').where('userId', '=', userId).orderBy('queueId').execute(),
    settingsOf(db, user.companyId),
  ])
  const rights: Pick<Settings, (typeof viewerSettings)[number]> = settings
  const viewer: Viewer = {
    id: user.id,
    name: user.name,
    companyId: user.companyId,
    profile: user.profile,
    super: user.super,
    flags: Object.fromEntries(allFlags.map((name) => [name, user.flags[name] === true])) as Viewer['flags'],
    plan: company.plan ?? {},
    queueIds: queues.map(({ id }) => id),
    retiredQueueIds: retired.map(({ queueId }) => queueId),
    reportQueueIds: reportQueues?.map(({ id }) => id) ?? null,
    masked: user.profile === 'user' && hidesNumbers(rights),
    timeZone: rights.timeZone,
    phoneCountry: rights.phoneCountry,
    companyLanguage: customerLanguageOf(rights),
  }
  // R-AUTH-04, A-AUTH-05
  const expired = company.id !== 1 && company.dueDate !== null && company.dueDate < dayIn(rights.timeZone, new Date(clock.now()))
  return { user, viewer, company, queues, reportQueues, settings, expired, aheadMs: clock.offsetMs() }
}
/** The queues of these ids that are not retired, in the order of lists. */
const queuesNamed = (db: Kysely<Database>, ids: number[]) =>
  db
    .selectFrom('queue')
    .select(['id', 'name', 'color'])
    .where('id', '=', sql<number>`any(${ids}::int[])`)
    .where('retiredAt', 'is', null)
    .orderBy('orderQueue')
    .orderBy('id')
    .execute()
export type Account = NonNullable<Awaited<ReturnType<typeof account>>>

/** Excludes settings that need a right, so that `me` can be shown to anyone. */
const everybodyReads = (read: Gate) => read === signedIn || read === anyone

/** The account in the published format. */
export function me(
  { user, viewer, company, queues, reportQueues, settings, aheadMs }: Account,
  sessionId: string,
  {
    media: { url },
    signingKey,
    config,
  }: { media: Pick<MediaStore, 'url'>; signingKey: Pick<SigningKey, 'sign'>; config: Pick<Config, 'meetingBaseUrl'> },
): Me {
  const profileImage = user.media && url(user.companyId, user.media)
  return {
    id: user.id,
    name: user.name,
    email: user.email,
    profile: user.profile,
    super: user.super,
    companyId: user.companyId,
    company: {
      id: company.id,
      name: company.name,
      dueDate: company.dueDate,
      settings: Object.entries(settings)
        .filter(([key]) => isSetting(key) && everybodyReads(settingTable[key].read))
        .map(([key, value]) => publishSetting({ key, value })),
    },
    queues,
    reportQueues,
    whatsappId: user.whatsappId,
    ...published(viewer.flags),
    defaultTheme: user.defaultTheme,
    defaultMenu: user.defaultMenu,
    language: user.language as Me['language'],
    defaultTicketsManagerWidth: user.defaultTicketsManagerWidth,
    notifications: user.notifications ?? defaultNotifications,
    color: user.color,
    profileImage,
    avatar: profileImage,
    plan: viewer.plan as Record<string, boolean>,
    masked: viewer.masked,
    away: user.away,
    aheadMs,
    sessionId,
    draftKey: draftKeyOf(signingKey, user),
    meetingBaseUrl: config.meetingBaseUrl,
  }
}
/** The signing key survives a rotation of the master key, and its signature of a text is deterministic. */
const draftKeyOf = ({ sign }: Pick<SigningKey, 'sign'>, { id, companyId }: { id: number; companyId: number }): string =>
  createHash('sha256')
    .update(sign(`drafts of user ${companyId}-${id}`))
    .digest('base64url')
