import { fileList, fileLists } from '#domain/file-list/contract.ts'
import { type Area, calls } from '../module.ts'
import { fileListRow, fileListsIn } from './read.ts'
import { beforeFiles, fileListRoutes } from './routes.ts'

export const fileListArea: Area = {
  calls: [calls('fileLists', fileLists, fileListRoutes, beforeFiles)],
  shapes: { FileList: fileList.Row, FileListBody: fileList.Body },
  topics: ({ db, media }) => [
    {
      topic: fileList.topic,
      load: async (companyId, ids) =>
        (await fileListsIn(db, companyId).where('fileList.id', 'in', ids).execute()).map((row) => fileListRow(media, row)),
    },
  ],
}
