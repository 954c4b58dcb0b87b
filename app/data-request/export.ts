import { randomUUID } from 'node:crypto'
import { mkdir, rm } from 'node:fs/promises'
import path from 'node:path'
import { sql } from 'kysely'
import { exportDays } from '#domain/data-request/contract.ts'
import type { AppContext } from '../context.ts'
import { blobsOf } from '../context.ts'
import { infiniteRetryAttempts, job } from '../scheduler/jobs.ts'
import { settingsOf } from '../setting/read.ts'
import { createZip } from '../storage/zip-writer.ts'
import { writeArchive } from './archive.ts'
import { exportKeyOf } from './export-files.ts'
import { mergedMessages } from './merged-messages.ts'

type Deps = Pick<AppContext, 'db' | 'eventStore' | 'clock' | 'media' | 'config' | 'uploadDir'>

/** Writes the archive of a person. A run after a kill writes the whole archive again. An erasure that begins meanwhile ends the export and removes the file. */
export const exportPerson = job<Deps>()<{ requestId: number }>('export-person', {
  attempts: infiniteRetryAttempts,
  queue: 'bulk',
  async run({ requestId: id }, { db, eventStore, clock, media, config, uploadDir }) {
    const one = db.selectFrom('dataRequest').select(['companyId', 'contactId', 'userId', 'state']).where('id', '=', id)
    const request = await one.where('kind', '=', 'export').executeTakeFirst()
    if (!request) return
    const { companyId, contactId, userId, state } = request
    if (state === 'expired') await blobsOf(config).remove(exportKeyOf({ id, companyId })) // a killed run may have left it
    if (state !== 'running') return
    const user = await db.selectFrom('user').select('language').where('id', '=', userId).executeTakeFirst()
    const { timeZone: zone } = await settingsOf(db, companyId)
    await mkdir(uploadDir, { recursive: true })
    const file = path.join(uploadDir, `export-${randomUUID()}`)
    const fileKey = exportKeyOf({ id, companyId })
    try {
      const same = await db.selectFrom('contact').select('id').where('personId', '=', contactId).execute()
      const contacts = same.map((one) => one.id)
      const merged = await mergedMessages(db, eventStore, companyId, contacts)
      const of = { companyId, contactId, contacts, merged, language: user?.language ?? 'pt', zone, at: clock.iso() }
      const size = await written(file, (zip) => writeArchive(zip, db, media, of))
      /* Named before it is stored, so that it is never left behind. */
      const named = db.updateTable('dataRequest').set({ fileKey, fileSize: size }).where('id', '=', id).where('state', '=', 'running')
      if ((await named.executeTakeFirstOrThrow()).numUpdatedRows === 0n) return
      await blobsOf(config).put(fileKey, { path: file, size, mime: 'application/zip' })
      const done = db
        .updateTable('dataRequest')
        .set({ state: 'done', finishedAt: sql`now()`, expiresAt: sql`now() + ${exportDays} * interval '1 day'` })
        .where('id', '=', id)
        .where('state', '=', 'running')
      if ((await done.executeTakeFirstOrThrow()).numUpdatedRows === 0n) await blobsOf(config).remove(fileKey)
    } finally {
      await rm(file, { force: true })
    }
  },
})

async function written(file: string, write: (zip: Awaited<ReturnType<typeof createZip>>) => Promise<void>): Promise<number> {
  const zip = await createZip(file)
  try {
    await write(zip)
    return await zip.end()
  } catch (error) {
    await zip.abort()
    throw error
  }
}
