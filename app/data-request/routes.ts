import { Readable } from 'node:stream'
import type { Viewer } from '#domain/access.ts'
import { pageSize } from '#domain/answers.ts'
import type { DataRequestRow, dataRequests } from '#domain/data-request/contract.ts'
import { refuse } from '#domain/errors.ts'
import type { AppContext } from '../context.ts'
import { blobsOf } from '../context.ts'
import type { Handlers } from '../http/serve.ts'
import { previewErasure, subjectOf } from './preview.ts'
import { dataRequestRow, dataRequestRows } from './read.ts'
import { activeTicketsOf, startErasure, startExport } from './start.ts'

type Deps = Pick<AppContext, 'db' | 'eventStore' | 'load' | 'enqueue' | 'config' | 'signingKey'>

export const dataRequestRoutes = (deps: Deps): Handlers<typeof dataRequests> => {
  const { db, config } = deps
  const one = async ({ companyId }: Viewer, id: number): Promise<DataRequestRow> =>
    dataRequestRow(await dataRequestRows(db, companyId).where('r.id', '=', id).executeTakeFirstOrThrow())
  const stored = async ({ companyId }: Viewer, id: number, kind: DataRequestRow['kind']) =>
    (await db
      .selectFrom('dataRequest')
      .select(['receipt', 'fileKey'])
      .where('id', '=', id)
      .where('companyId', '=', companyId)
      .where('kind', '=', kind)
      .where('state', '=', 'done')
      .executeTakeFirst()) ?? refuse('ERR_NO_DATA_REQUEST_FOUND')
  return {
    async list({ viewer: { companyId }, query: { contactId, pageNumber = 1 } }) {
      let rows = dataRequestRows(db, companyId).orderBy('r.id', 'desc')
      if (contactId !== undefined) rows = rows.where('r.contactId', '=', contactId)
      const page = await rows
        .offset((pageNumber - 1) * pageSize)
        .limit(pageSize + 1)
        .execute()
      return { requests: page.slice(0, pageSize).map(dataRequestRow), hasMore: page.length > pageSize }
    },
    async preview({ viewer, params: { id } }) {
      const subject = await subjectOf(db, viewer, id)
      const { active } = await activeTicketsOf(deps, viewer.companyId, subject.id)
      return { counts: await previewErasure(deps, viewer, subject), ticket: active[0] ?? null }
    },
    erase: async ({ viewer, params: { id }, body: { name }, wire }) => one(viewer, await startErasure(deps, viewer, wire.ip, id, name)),
    async receipt({ viewer, params: { id } }) {
      const { receipt } = await stored(viewer, id, 'erasure')
      return Readable.from([receipt!])
    },
    export: async ({ viewer, params: { id }, wire }) => one(viewer, await startExport(deps, viewer, wire.ip, id)),
    async download({ viewer, params: { id } }) {
      const { fileKey } = await stored(viewer, id, 'export')
      return (fileKey && (await blobsOf(config).read(fileKey))) || refuse('ERR_NO_DATA_REQUEST_FOUND')
    },
  }
}
