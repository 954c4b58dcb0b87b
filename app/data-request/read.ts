import type { Kysely } from 'kysely'
import type { DataRequestRow } from '#domain/data-request/contract.ts'
import type { Database } from '#projections/database.ts'

export const dataRequestRows = (db: Kysely<Database>, companyId: number) =>
  db
    .selectFrom('dataRequest as r')
    .leftJoin('user as u', 'u.id', 'r.userId')
    .leftJoin('contact as c', 'c.id', 'r.contactId')
    .select([
      'r.id',
      'r.companyId',
      'r.contactId',
      'r.kind',
      'r.state',
      'r.done',
      'r.total',
      'r.userId',
      'u.name as userName',
      'c.name as contactName',
    ])
    .select(['r.requestedAt', 'r.finishedAt', 'r.expiresAt', 'r.fileSize'])
    .where('r.companyId', '=', companyId)

type Raw = Awaited<ReturnType<ReturnType<typeof dataRequestRows>['execute']>>[number]
export const dataRequestRow = ({ userId, userName, contactName, fileSize, ...row }: Raw): DataRequestRow => ({
  ...row,
  contactName: contactName || null,
  user: userName === null ? null : { id: userId, name: userName },
  size: fileSize,
})
