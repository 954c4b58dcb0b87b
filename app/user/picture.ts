import type { Kysely } from 'kysely'
import type { Viewer } from '#domain/access.ts'
import { refuse } from '#domain/errors.ts'
import { mayEditUser, pictureLimit, type users } from '#domain/user/contract.ts'
import type { Database } from '#projections/database.ts'
import type { AppContext } from '../context.ts'
import type { Handlers, UploadGuard } from '../http/serve.ts'
import { megabyte } from '../http/upload-limits.ts'
import { sweepOrphanedUploads } from '../message/orphaned-uploads.ts'
import type { StoredFile } from '../storage/media.ts'
import { abandonedMs, changeFile, withFile } from '../storage/row-file.ts'
import { usersIn, withPicture } from './colleagues.ts'

export type Deps = Pick<AppContext, 'db' | 'media' | 'eventStore' | 'contactKeys'>

/** Oneself, or whom one may edit; a user of another company does not exist. */
async function requireEditableUser(db: Kysely<Database>, viewer: Viewer, id: number): Promise<void> {
  const row = await usersIn(db, viewer.companyId).where('user.id', '=', id).executeTakeFirst()
  if (!row) refuse('ERR_NO_USER_FOUND')
  if (row.id !== viewer.id && !mayEditUser(viewer, row)) refuse('ERR_NO_PERMISSION')
}

export const pictureRoutes = (deps: Deps): Pick<Handlers<typeof users>, 'attach' | 'detach'> => {
  const { db, media } = deps
  async function depict(companyId: number, id: number, picture: StoredFile | null): Promise<void> {
    await db.transaction().execute(async (on) => {
      await on
        .updateTable('user')
        .set((eb) => ({ language: eb.ref('language') })) // locks the row, and notifies clients that show it
        .where('id', '=', id)
        .execute()
      await changeFile(on, 'user', companyId, id, picture)
    })
    await sweepOrphanedUploads(deps, abandonedMs)
  }
  return {
    async attach({ viewer, params: { id }, files }) {
      await requireEditableUser(db, viewer, id)
      const [file] = files
      if (!file) refuse('ERR_INVALID_INPUT', { field: 'profileImage', rule: 'required' })
      if (file.size > pictureLimit * megabyte) refuse('ERR_TOO_LARGE', { limit: pictureLimit })
      await withFile(media, viewer, files, ({ media: picture }) =>
        picture?.kind === 'image' ? depict(viewer.companyId, id, picture) : refuse('ERR_UNSUPPORTED_MEDIA'),
      )
      return withPicture(media)(await usersIn(db, viewer.companyId).where('user.id', '=', id).executeTakeFirstOrThrow())
    },
    async detach({ viewer, params: { id } }) {
      await requireEditableUser(db, viewer, id)
      await depict(viewer.companyId, id, null)
    },
  }
}

/** Checks that the viewer may change the picture and the quota has room. */
export const beforePicture = ({ db, media }: Deps): UploadGuard<typeof users> => ({
  async attach({ viewer, params }) {
    await requireEditableUser(db, viewer, params.id!)
    return { room: await media.room(viewer.companyId) }
  },
})
