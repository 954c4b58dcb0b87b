import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { daySeconds, hourSeconds } from '#domain/duration/rules.ts'
import { Refusal, refuse } from '#domain/errors.ts'
import type { session } from '#domain/session/contract.ts'
import { deviceOf } from '#domain/session/device.ts'
import { isWeak } from '#domain/session/rules.ts'
import { isTooShort, shortestPassword } from '#domain/user/rules.ts'
import { timeIn } from '#domain/zone/rules.ts'
import type { AppContext } from '../context.ts'
import { createRateLimiter } from '../http/rate-limiter.ts'
import type { Handlers, HttpExchange } from '../http/serve.ts'
import { noCompany, recordSecurity, sessionHandle, shortened } from '../security/log.ts'
import { type Attempt, clearFailures, countAttempt, findPause, network, type Pause, sweep } from './attempts.ts'
import { allowsSeveralDevices, announceSession, endOtherSessions, oldestSeconds } from './devices.ts'
import { requestPasswordReset } from './forgot.ts'
import { signInLane } from './lane.ts'
import { hashOfNobody, passwordFits } from './password.ts'
import { findPasswordLink, setPasswordByLink } from './password-link.ts'
import type { LoginThrottle } from './pauses.ts'
import { listSignIns } from './sign-ins.ts'
import { type Account, account, me } from './viewers.ts'

type Deps = Pick<AppContext, 'db' | 'sign' | 'broadcast' | 'clock' | 'media' | 'enqueue' | 'signingKey' | 'config'> & {
  loginThrottle: LoginThrottle
}

const cookieName = 'guiche_session'
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const hash = (secret: string) => createHash('sha256').update(secret).digest('hex')
const lifetime = (remember: boolean) => (remember ? 30 * daySeconds : 12 * hourSeconds)
/** An ended session is kept this long for inquiries. */
const keptSeconds = 30 * daySeconds
/**
 * The last login of a company is stored at most hourly (in seconds), because each change of its row makes all
 * its users' rights reload.
 */
const lastLoginEvery = hourSeconds
const soon = (seconds: number) => new Date(Date.now() + seconds * 1000).toISOString()
const ownerOf = ({ user }: Account) => ({ companyId: user.companyId, userId: user.id })
/** Checked when there is no such user, so that an unknown address takes as long as a wrong password. */
const nobody = hashOfNobody()

export const sessionRoutes = (deps: Deps): Handlers<typeof session> => {
  const parts = createParts(deps)
  const { login, startSession } = createLogin(deps, parts)
  return { login, ...passwordRoutes(deps, { ...parts, startSession }), ...tokenRoutes(deps, parts), ...signInRoutes(deps) }
}

type Parts = ReturnType<typeof createParts>
function createParts({ db, sign, loginThrottle, media, enqueue, signingKey, config }: Deps) {
  const inLane = signInLane()
  const badLinks = createRateLimiter({ burst: 20, everyMs: 30_000 })
  const forget = requestPasswordReset({ db, enqueue })
  const entered = (found: Account, sessionId: string) => ({
    token: sign({ sid: sessionId }),
    user: me(found, sessionHandle(sessionId), { media, signingKey, config }),
  })

  /** Records a refused sign-in: a known account by its id, an unknown one only by its first letter. */
  const recordRefusedSignIn = (wire: HttpExchange, email: string, user: { id: number; companyId: number } | undefined, reason: string) =>
    recordSecurity(db, {
      ...{ companyId: user?.companyId ?? noCompany, kind: 'signInRefused', userId: user?.id ?? null, address: wire.ip },
      detail: { reason, ...(!user && { account: shortened(email) }) },
    })

  async function allowAttempt(wire: HttpExchange, email: string): Promise<Attempt> {
    const answer = await countAttempt({ db, loginThrottle }, email, wire.ip)
    return 'seconds' in answer ? pause(wire, email, answer) : answer
  }
  async function pause(wire: HttpExchange, email: string, { seconds, by, first }: Pause): Promise<never> {
    if (first) {
      const user = by === 'address' ? undefined : await userBy(email)
      const where = { companyId: user?.companyId ?? noCompany, userId: user?.id ?? null, address: wire.ip }
      await recordSecurity(db, {
        ...where,
        kind: 'signInPaused',
        detail: { reason: 'many', seconds, ...(!user && { account: shortened(email) }) },
      })
    }
    wire.header('retry-after', String(seconds))
    refuse('ERR_INVALID_CREDENTIALS/tooMany', { retryAfter: seconds })
  }

  const userBy = (email: string) =>
    db
      .selectFrom('user')
      .select(['id', 'companyId', 'passwordHash'])
      .where(sql`lower(email)`, '=', email)
      .where('retiredAt', 'is', null)
      .executeTakeFirst()

  function keep(wire: HttpExchange, id: string, secret: string, remember: boolean): void {
    wire.setCookie(cookieName, `${id}.${secret}`, remember ? lifetime(true) : null)
  }

  /** A 256-bit token cannot be guessed. A caller with bad tokens is slowed down, but sign-ins are not blocked. */
  async function requireLink(wire: HttpExchange, token: string) {
    const address = network(wire.ip)
    badLinks.checkLimit(address, wire)
    const found = await findPasswordLink(db, token)
    if (found) return found
    badLinks.count(address)
    refuse('ERR_PASSWORD_LINK')
  }

  return { inLane, entered, recordRefusedSignIn, allowAttempt, pause, userBy, keep, requireLink, forget }
}

function createLogin(
  { db, broadcast, loginThrottle, clock }: Deps,
  { inLane, entered, recordRefusedSignIn, allowAttempt, pause, userBy, keep }: Parts,
) {
  const login: Handlers<typeof session>['login'] = async ({ body: { email: written, password, remember = false }, wire }) => {
    const email = written.trim().toLowerCase()
    const already = findPause({ db, loginThrottle }, email, wire.ip)
    if (already) return pause(wire, email, already)
    return inLane(network(wire.ip), async () => {
      const counted = await allowAttempt(wire, email)
      const user = await userBy(email)
      const fits = await passwordFits(password, user?.passwordHash ?? nobody)
      if (!user || !fits) {
        await sweep(db)
        await recordRefusedSignIn(wire, email, user, user ? 'password' : 'unknown')
        refuse('ERR_INVALID_CREDENTIALS')
      }
      await clearFailures(db, counted)
      return startSession(wire, { ...user, email }, remember)
    })
  }

  /** Creates a session for an authenticated user. Ends the user's other sessions, unless the company allows several devices (A-AUTH-04). */
  async function startSession(wire: HttpExchange, user: { id: number; companyId: number; email: string }, remember: boolean) {
    const found = (await account(db, clock, user.id)) ?? refuse('ERR_INVALID_CREDENTIALS')
    if (!found.company.status) {
      await recordRefusedSignIn(wire, user.email, user, 'company')
      refuse('ERR_NO_PERMISSION/company')
    }
    if (!found.user.super && !withinHours(found.user.startWork, found.user.endWork, found.settings.timeZone, new Date(clock.now()))) {
      await recordRefusedSignIn(wire, user.email, user, 'hours')
      refuse('ERR_OUT_OF_HOURS')
    }
    const id = randomUUID()
    const secret = randomBytes(32).toString('base64url')
    await db.transaction().execute(async (tx) => {
      await tx.selectFrom('user').select('id').where('id', '=', user.id).forUpdate().execute() // two concurrent sign-ins must not both stay
      if (!(await allowsSeveralDevices(tx, found.company.id))) {
        await announceSession({ tx, broadcast }, ownerOf(found), id)
        await tx
          .updateTable('session')
          .set({ endedAt: new Date().toISOString() })
          .where('userId', '=', user.id)
          .where('endedAt', 'is', null)
          .execute()
      }
      await tx
        .deleteFrom('session')
        .where('userId', '=', user.id)
        .where((eb) => eb.or([eb('endedAt', '<', soon(-keptSeconds)), eb('expiresAt', '<', soon(-keptSeconds))]))
        .execute()
      await tx
        .insertInto('session')
        .values({
          id,
          companyId: found.company.id,
          userId: user.id,
          remember,
          secretHash: hash(secret),
          rotatedAt: soon(0),
          expiresAt: soon(lifetime(remember)),
        })
        .execute()
      await tx
        .updateTable('company')
        .set({ lastLogin: soon(0) })
        .where('id', '=', found.company.id)
        .where((eb) => eb.or([eb('lastLogin', 'is', null), eb('lastLogin', '<', soon(-lastLoginEvery))]))
        .execute()
      const detail = { session: sessionHandle(id), device: deviceOf(wire.userAgent) }
      await recordSecurity(tx, { ...ownerOf(found), kind: 'signedIn', address: wire.ip, detail })
    })
    keep(wire, id, secret, remember)
    return entered(found, id)
  }

  return { login, startSession }
}

const passwordRoutes = (
  { db }: Deps,
  { inLane, requireLink, forget, startSession }: Parts & Pick<ReturnType<typeof createLogin>, 'startSession'>,
) => {
  return {
    async passwordLink({ body, wire }) {
      const { email, company, profile } = await requireLink(wire, body.token)
      return { email, company, minLength: shortestPassword[profile] }
    },
    async setPassword({ body: { token, password }, wire }) {
      if (isWeak(password)) refuse('ERR_INVALID_INPUT', { field: 'password', rule: 'weak' })
      const user = await requireLink(wire, token)
      if (isTooShort(password, user)) refuse('ERR_SHORT_PASSWORD')
      return inLane(network(wire.ip), async () => {
        await setPasswordByLink(db, token, password, wire.ip)
        return startSession(wire, user, false)
      })
    },

    forgot: ({ body, wire }) => forget(body.email.toLowerCase(), wire),
    async reset({ body: { token = '', newPassword }, wire }) {
      if (isWeak(newPassword)) refuse('ERR_INVALID_INPUT', { field: 'newPassword', rule: 'weak' })
      try {
        const { email, ...user } = await requireLink(wire, token)
        if (isTooShort(newPassword, user)) refuse('ERR_SHORT_PASSWORD')
        await inLane(network(wire.ip), () => setPasswordByLink(db, token, newPassword, wire.ip))
        return { email }
      } catch (error) {
        throw error instanceof Refusal && error.code === 'ERR_PASSWORD_LINK' ? new Refusal('ERR_RESET_TOKEN') : error
      }
    },

    /**
     * Rotates the secret. An older secret ends the session, except within ten seconds after its rotation
     * (A-AUTH-03).
     */
  } satisfies Partial<Handlers<typeof session>>
}

const tokenRoutes = ({ db, clock, media, signingKey, config }: Deps, { entered, keep }: Parts) =>
  ({
    async refresh({ wire }) {
      const [id = '', secret = ''] = (wire.cookie(cookieName) ?? '').split('.')
      if (!uuid.test(id)) refuse('ERR_SESSION_EXPIRED/ended')
      const next = randomBytes(32).toString('base64url')
      const refreshed = await db.transaction().execute(async (tx) => {
        const row = await tx
          .selectFrom('session')
          .selectAll()
          .where('id', '=', id)
          .where('endedAt', 'is', null)
          .forUpdate()
          .executeTakeFirst()
        if (!row || row.expiresAt < soon(0) || row.createdAt < soon(-oldestSeconds)) return null
        const honoured = row.spent.filter(({ at }) => at > soon(-10)) // other tabs on a slow network may send any recent secret (A-AUTH-03)
        if (row.secretHash === hash(secret)) {
          const latest = new Date(Date.parse(row.createdAt) + oldestSeconds * 1000).toISOString()
          const until = soon(lifetime(row.remember))
          const recordRefusedSignIn = {
            ...{ secretHash: hash(next), previousHash: row.secretHash, rotatedAt: soon(0), expiresAt: until < latest ? until : latest },
            spent: JSON.stringify([...honoured.slice(-50), { hash: row.secretHash, at: soon(0) }]),
          }
          await tx.updateTable('session').set(recordRefusedSignIn).where('id', '=', id).execute()
          return { ...row, rotated: true }
        }
        if (honoured.some((one) => one.hash === hash(secret))) return { ...row, rotated: false }
        await tx
          .updateTable('session')
          .set({ endedAt: soon(0) })
          .where('id', '=', id)
          .execute()
        const { companyId, userId } = row
        await recordSecurity(tx, {
          companyId,
          userId,
          kind: 'sessionEnded',
          address: wire.ip,
          detail: { reason: 'stale', session: sessionHandle(id) },
        })
        return null
      })
      if (!refreshed) {
        wire.clearCookie(cookieName)
        refuse('ERR_SESSION_EXPIRED/ended')
      }
      const found = (await account(db, clock, refreshed.userId)) ?? refuse('ERR_SESSION_EXPIRED/ended')
      if (!found.company.status) refuse('ERR_NO_PERMISSION/company')
      if (refreshed.rotated) keep(wire, id, next, refreshed.remember)
      return entered(found, id)
    },

    async logout({ wire }) {
      const [id = '', secret = ''] = (wire.cookie(cookieName) ?? '').split('.')
      const open = db
        .updateTable('session')
        .set({ endedAt: soon(0) })
        .where('endedAt', 'is', null)
        .returning(['id', 'companyId', 'userId'])
      const named = wire.sessionId
        ? open.where('id', '=', wire.sessionId)
        : open
            .where('id', '=', uuid.test(id) ? id : randomUUID())
            .where((eb) => eb.or([eb('secretHash', '=', hash(secret)), eb('previousHash', '=', hash(secret))]))
      for (const { id: ended, companyId, userId } of await named.execute())
        await recordSecurity(db, { companyId, userId, kind: 'signedOut', address: wire.ip, detail: { session: sessionHandle(ended) } })
      wire.clearCookie(cookieName)
    },

    me: async ({ viewer, wire }) =>
      me((await account(db, clock, viewer.id)) ?? refuse('ERR_SESSION_EXPIRED'), sessionHandle(wire.sessionId ?? ''), {
        media,
        signingKey,
        config,
      }),
  }) satisfies Partial<Handlers<typeof session>>

const signInRoutes = ({ db, broadcast }: Deps) =>
  ({
    signIns: ({ viewer, wire }) => listSignIns(db, viewer.id, wire.sessionId),
    signOutOthers: ({ viewer: { id: userId, companyId }, wire }) =>
      db.transaction().execute(async (tx) => {
        const own = wire.sessionId ?? refuse('ERR_SESSION_EXPIRED')
        return { ended: await endOtherSessions({ tx, broadcast }, { companyId, userId }, own, { reason: 'others', address: wire.ip }) }
      }),
  }) satisfies Partial<Handlers<typeof session>>

/** Inclusive; a start after the end means overnight, equal ones mean always (A-AUTH-08). */
export function withinHours(start: string, end: string, timeZone: string, now: Date): boolean {
  const time = timeIn(timeZone, now)
  if (start === end) return true
  return start < end ? start <= time && time <= end : time >= start || time <= end
}
