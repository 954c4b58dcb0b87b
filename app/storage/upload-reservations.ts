import { type Kysely, sql, type Transaction } from 'kysely'
import { refuse } from '#domain/errors.ts'
import type { Database } from '#projections/database.ts'
import { megabyte } from '../http/upload-limits.ts'
import { lockIds } from '../scheduler/locks.ts'

/**
 * The origin of a file: a user's upload to a ticket or list row counts against the company's quota. A
 * customer's file is never refused for it.
 */
export type Sender = { ticketId: number } | 'list' | 'customer'
type File = { companyId: number; key: string; mime: string; size: number }
type UploadReservation = { id: string; companyId: number; key: string }
export type UploadReservationRow = UploadReservation & { ticketId: number | null }

/**
 * Tracks files on disk that no event names yet. A reservation is stored before its file, and removed when the
 * file is named or given up. While it exists, the file stays. The sweep finds reservations of stopped
 * processes by age. `remove` deletes a file from disk.
 */
export function uploadReservations(db: Kysely<Database>, remove: Remove, quotaMegabytes: number) {
  const exclusively = createCompanyLock(db)
  const room = createQuota(db, quotaMegabytes)
  const drop = createFileDropper(remove)

  return {
    room,

    async take({ companyId, key, mime, size }: File, sender: Sender): Promise<string> {
      const id = crypto.randomUUID()
      const byPeople = sender !== 'customer'
      return exclusively(companyId, async (tx) => {
        const file = tx.selectFrom('media').select('byPeople').where('companyId', '=', companyId).where('key', '=', key)
        const counted = (await file.executeTakeFirst())?.byPeople === true
        const left = byPeople && !counted ? await room(companyId, tx) : null
        if (left !== null && size > left) refuse('ERR_UPLOAD_QUOTA')
        const ticketId = typeof sender === 'object' ? sender.ticketId : null
        await tx
          .insertInto('uploadReservation')
          .values({ id, companyId, key, ticketId, size: counted ? 0 : size, byPeople })
          .execute()
        await tx
          .insertInto('media')
          .values({ companyId, key, mime, size, named: false })
          .onConflict((row) => row.doNothing())
          .execute()
        return id
      })
    },

    settle: (reservation: UploadReservation): Promise<void> => settleReservation(db, reservation),

    /** Settles a reservation whose event was found later. A file that was withdrawn since then stays withdrawn. */
    async settleLate(reservation: UploadReservation): Promise<void> {
      const { id, companyId, key } = reservation
      await sql`
        with gone as (delete from upload_reservation where id = ${id} returning by_people, at)
        update media set named = true, by_people = media.by_people or gone.by_people,
          withdrawn_at = case when withdrawn_at > gone.at then withdrawn_at end
        from gone where company_id = ${companyId} and key = ${key}`.execute(db)
    },

    /**
     * No event will name the file. It is removed, unless an event names it already or another reservation
     * exists.
     */
    release: ({ id, companyId, key }: UploadReservation): Promise<void> =>
      exclusively(companyId, async (tx) => {
        const { numDeletedRows } = await tx.deleteFrom('uploadReservation').where('id', '=', id).executeTakeFirst()
        const file = tx.selectFrom('media').select('named').where('companyId', '=', companyId).where('key', '=', key)
        if (numDeletedRows > 0n && (await file.executeTakeFirst())?.named === false) await drop(tx, companyId, key)
      }),

    forget: (companyId: number, key: string): Promise<void> => exclusively(companyId, (tx) => drop(tx, companyId, key)),

    /** Returns reservations so old that no upload can still be in progress. */
    stale: (olderThan: number, most = 100): Promise<UploadReservationRow[]> =>
      db
        .selectFrom('uploadReservation')
        .select(['id', 'companyId', 'key', 'ticketId'])
        .where('at', '<', new Date(Date.now() - olderThan).toISOString())
        .orderBy('at')
        .limit(most)
        .execute(),
  }
}

type Remove = (companyId: number, key: string) => Promise<void>

/**
 * Runs one at a time per company. So two uploads never count the same room, and no file is removed while
 * another call reserves it.
 */
const createCompanyLock =
  (db: Kysely<Database>) =>
  <T>(companyId: number, act: (tx: Transaction<Database>) => Promise<T>): Promise<T> =>
    db.transaction().execute(async (tx) => {
      await sql`select pg_advisory_xact_lock(${lockIds.upload}, ${companyId})`.execute(tx)
      return act(tx)
    })

function createQuota(db: Kysely<Database>, quotaMegabytes: number) {
  /** Returns the remaining quota of the company's users in bytes (A-PLAN-01); null: no limit. */
  async function room(companyId: number, on: Kysely<Database> = db): Promise<number | null> {
    const { rows } = await sql<{ megabytes: number; used: string }>`
      select coalesce(p.upload_megabytes, ${quotaMegabytes}::int) as megabytes,
        (select coalesce(sum(size::bigint), 0) from media where company_id = ${companyId} and by_people)
        + (select coalesce(sum(size::bigint), 0) from upload_reservation where company_id = ${companyId} and by_people) as used
      from company c left join plan p on p.id = c.plan_id where c.id = ${companyId}`.execute(on)
    const { megabytes, used } = rows[0]!
    if (megabytes === 0) return null
    const left = megabytes * megabyte - Number(used)
    return left > 0 ? left : refuse('ERR_UPLOAD_QUOTA', { limit: megabytes })
  }
  return room
}

function createFileDropper(remove: Remove) {
  async function drop(tx: Transaction<Database>, companyId: number, key: string): Promise<void> {
    const reservation = await tx
      .selectFrom('uploadReservation')
      .select('id')
      .where('companyId', '=', companyId)
      .where('key', '=', key)
      .executeTakeFirst()
    const file = { companyId, key }
    if (reservation)
      return void (await tx
        .updateTable('media')
        .set({ named: false })
        .where((eb) => eb.and(file))
        .execute())
    await tx
      .deleteFrom('media')
      .where((eb) => eb.and(file))
      .execute()
    await remove(companyId, key)
  }
  return drop
}

type ReservedFile = { hold?: string; media: { key: string } | null }
type FileEvent = { type: string; media?: ReservedFile['media'] }
/**
 * Executes the ticket command for a message with its file, if any. After a crash, the reservation tells the
 * sweep which stream to check.
 */
export async function executeWithUpload<Answer extends { events: FileEvent[] }>(
  db: Kysely<Database>,
  { hold: reservation, media }: ReservedFile,
  { companyId, ticketId }: { companyId: number; ticketId: number },
  execute: () => Promise<Answer>,
): Promise<Answer> {
  if (!reservation || !media) return execute()
  await db.updateTable('uploadReservation').set({ ticketId }).where('id', '=', reservation).execute()
  const answer = await execute()
  const { key } = media
  if (answer.events.some((event) => event.media?.key === key)) await settleReservation(db, { id: reservation, companyId, key })
  return answer
}

/** An event or a row names the file from now on. */
export async function settleReservation(on: Kysely<Database>, { id, companyId, key }: UploadReservation): Promise<void> {
  await sql`
    with gone as (delete from upload_reservation where id = ${id} returning by_people)
    update media set named = true, withdrawn_at = null, by_people = media.by_people or gone.by_people
    from gone where company_id = ${companyId} and key = ${key}`.execute(on)
}
