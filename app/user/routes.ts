import { type Kysely, sql } from 'kysely'
import type { Viewer } from '#domain/access.ts'
import { pageSize } from '#domain/answers.ts'
import { refuse } from '#domain/errors.ts'
import { isWeak } from '#domain/session/rules.ts'
import { user, type users } from '#domain/user/contract.ts'
import { isTooShort } from '#domain/user/rules.ts'
import type { Database } from '#projections/database.ts'
import { inNameOrder } from '#projections/name-order.ts'
import { likePattern } from '#projections/postgres.ts'
import { audited } from '../audit/record.ts'
import type { AppContext } from '../context.ts'
import { saveRelations } from '../http/relations.ts'
import type { Handlers } from '../http/serve.ts'
import { requirePlanCapacity } from '../plan/limits.ts'
import { incrementVersions } from '../queue/servers.ts'
import { recordSecurity } from '../security/log.ts'
import { endOtherSessions } from '../session/devices.ts'
import { noPassword } from '../session/founding.ts'
import { hashPassword } from '../session/password.ts'
import { requirePassword } from '../session/prove.ts'
import { changeUser, columnsOf, type Fields, kept, one, requireMayChange } from './change.ts'
import { auditedUser, type StoredUser, usersIn, withPicture } from './colleagues.ts'
import { invite } from './invite.ts'
import { type Deps as PictureDeps, pictureRoutes } from './picture.ts'
import { endAccess, endLinks, prepareRelease, type Deps as RetireDeps, retire } from './retire.ts'

type Deps = PictureDeps & RetireDeps & Pick<AppContext, 'loginThrottle' | 'companySettingStore' | 'config' | 'broadcast'>

/** Only the viewer's own user; one of another company does not exist. */
async function own(db: Kysely<Database>, viewer: Viewer, id: number): Promise<void> {
  const row = await usersIn(db, viewer.companyId).where('user.id', '=', id).executeTakeFirst()
  if (!row) refuse('ERR_NO_USER_FOUND')
  if (row.id !== viewer.id) refuse('ERR_NO_PERMISSION')
}
/**
 * Returns the company of the call: the viewer's own, or for a super user the named one (A-CONN-02 has the
 * same rule for connections).
 */
async function inCompany(db: Kysely<Database>, viewer: Viewer, companyId: number | undefined): Promise<number> {
  if (!viewer.super || companyId === undefined || companyId === viewer.companyId) return viewer.companyId
  const there = await db.selectFrom('company').select('id').where('id', '=', companyId).executeTakeFirst()
  return there ? companyId : refuse('ERR_NOT_FOUND')
}
/** Returns the company of a user; for a super user any company. */
async function companyOf(db: Kysely<Database>, viewer: Viewer, id: number): Promise<number> {
  if (!viewer.super) return viewer.companyId
  return (await db.selectFrom('user').select('companyId').where('id', '=', id).executeTakeFirst())?.companyId ?? refuse('ERR_NO_USER_FOUND')
}

const neat = <Body extends Fields>(body: Body): Body => ({
  ...body,
  ...(body.name !== undefined && { name: body.name.trim() }),
  ...(body.email !== undefined && { email: body.email.trim() }),
})

async function hashed(password: string | undefined, user: Pick<StoredUser, 'profile'>): Promise<string | null> {
  if (password === undefined) return null
  if (isTooShort(password, user)) refuse('ERR_SHORT_PASSWORD')
  return isWeak(password) ? refuse('ERR_WEAK_PASSWORD') : hashPassword(password)
}
/** A-USER-01: the unique index on the email refuses duplicates. */
const oneEmail = async <T>(act: Promise<T>): Promise<T> => {
  try {
    return await act
  } catch (error) {
    if ((error as { constraint?: string }).constraint === 'user_by_email') refuse('ERR_DUPLICATED_EMAIL')
    throw error
  }
}

export const userRoutes = (deps: Deps): Handlers<typeof users> => ({
  ...readRoutes(deps),
  ...writeRoutes(deps),
  ...personalRoutes(deps),
  ...pictureRoutes(deps),
})

const readRoutes = ({ db, media }: Deps) => {
  const answer = withPicture(media)
  return {
    async list({ viewer, query: { searchParam = '', pageNumber = 1, companyId } }) {
      const like = likePattern(searchParam.trim())
      const rows = await usersIn(db, await inCompany(db, viewer, companyId))
        .where(sql<boolean>`(plain("user".name) like plain(${like}) or "user".email ilike ${like})`)
        .orderBy(inNameOrder(viewer.companyLanguage, 'user.name'))
        .orderBy('user.id')
        .limit(pageSize + 1)
        .offset((pageNumber - 1) * pageSize)
        .execute()
      return { users: rows.slice(0, pageSize).map(answer), hasMore: rows.length > pageSize }
    },
    async choices({ viewer, query }) {
      const there = usersIn(db, await inCompany(db, viewer, query.companyId))
      return (await there.orderBy(inNameOrder(viewer.companyLanguage, 'user.name')).orderBy('user.id').limit(1000).execute()).map(answer)
    },
    async find({ viewer, params: { id } }) {
      const row = await one(db, await companyOf(db, viewer, id), id)
      return id === viewer.id || viewer.profile === 'admin' ? answer(row) : refuse('ERR_NO_PERMISSION')
    },
  } satisfies Partial<Handlers<typeof users>>
}

const writeRoutes = (deps: Deps) => {
  const { db, media } = deps
  const answer = withPicture(media)
  return {
    async create({ viewer, command, wire, body: { password, companyId: named, ...given } }) {
      const companyId = await inCompany(db, viewer, named)
      const body = neat(given)
      const passwordHash = (await hashed(password, { profile: body.profile ?? 'user' })) ?? noPassword
      const made = audited(db, kept, { viewer, command }, async (on) => {
        await requirePlanCapacity(on, companyId, 'users')
        const row = { whatsappId: null, farewellMessage: null, ...columnsOf(body), companyId, passwordHash }
        const save = async () => (await on.insertInto('user').values(row).returning('id').executeTakeFirstOrThrow()).id
        const id = await saveRelations(on, user, { ...viewer, companyId }, body, save)
        await incrementVersions(on, body.queueIds ?? [])
        await recordSecurity(on, {
          companyId,
          userId: viewer.id,
          kind: 'accessChanged',
          address: wire.ip,
          detail: { user: id, reason: 'made' },
        })
        return { before: null, after: auditedUser(await one(on, companyId, id)) }
      })
      return answer(await one(db, companyId, (await oneEmail(made)).id))
    },
    async update({ viewer, params: { id }, command, wire, body: { version, password, currentPassword, ...given } }) {
      const companyId = await companyOf(db, viewer, id)
      const change = neat(given)
      const current = await one(db, companyId, id)
      requireMayChange(viewer, current, change)
      const proves = id === viewer.id && (password !== undefined || (change.email !== undefined && change.email !== current.email))
      if (proves) await requirePassword(deps, id, currentPassword, wire)
      const passwordHash = await hashed(password, { profile: change.profile ?? current.profile })
      const fewer = change.queueIds !== undefined && current.queueIds.some((queue) => !change.queueIds!.includes(queue))
      const loses = fewer || (change.profile === 'user' && current.profile === 'admin')
      const release = loses ? await prepareRelease(deps, viewer, { id, companyId }) : undefined
      const changed = audited(db, kept, { viewer, command }, async (on) => {
        const by = { viewer, address: wire.ip }
        const { before, after } = await changeUser(on, by, { id, companyId, version }, change, passwordHash)
        if (passwordHash || before.email !== after.email) await endLinks(on, id) // an earlier link may have gone to the wrong person
        if (!passwordHash) return { before: auditedUser(before), after: auditedUser(after) }
        if (id !== viewer.id) await endAccess(on, id)
        else if (wire.sessionId) {
          const { broadcast } = deps
          await endOtherSessions({ tx: on, broadcast }, { companyId, userId: id }, wire.sessionId, { reason: 'password', address: wire.ip })
        }
        await recordSecurity(on, {
          companyId,
          userId: viewer.id,
          address: wire.ip,
          kind: 'passwordSet',
          detail: { user: id, by: id === viewer.id ? 'self' : 'admin' },
        })
        return { before: { ...auditedUser(before), password: 1 }, after: { ...auditedUser(after), password: 2 } }
      })
      await oneEmail(changed)
      await release?.()
      return answer(await one(db, companyId, id))
    },
  } satisfies Partial<Handlers<typeof users>>
}

const personalRoutes = (deps: Deps) => {
  const { db } = deps
  return {
    remove: async ({ viewer, command, wire, params: { id } }) =>
      retire(deps, viewer, command, wire.ip, { id, companyId: await companyOf(db, viewer, id) }),
    invite: async ({ viewer, wire, params: { id } }) => invite(deps, viewer, wire.ip, { id, companyId: await companyOf(db, viewer, id) }),
    async language({ viewer, params, body }) {
      await own(db, viewer, params.id)
      await db.updateTable('user').set({ language: body.language }).where('id', '=', params.id).execute()
    },
    async notifications({ viewer, params, body }) {
      await own(db, viewer, params.id)
      await db
        .updateTable('user')
        .set({ notifications: JSON.stringify(body) })
        .where('id', '=', params.id)
        .execute()
    },
    async away({ viewer, params, body }) {
      await own(db, viewer, params.id)
      await db
        .insertInto('userPresence')
        .values({ id: viewer.id, companyId: viewer.companyId, online: false, seenAt: new Date(0).toISOString(), ...body })
        .onConflict((known) => known.column('id').doUpdateSet(body))
        .execute()
    },
    async width({ viewer, params, body }) {
      await own(db, viewer, params.userId)
      await db.updateTable('user').set(body).where('id', '=', params.userId).execute()
    },
  } satisfies Partial<Handlers<typeof users>>
}
