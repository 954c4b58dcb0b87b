import { fileList, fileLists } from '#domain/file-list/contract.ts'
import { calls, type FeatureModule } from '../module.ts'
import { fileListRow, fileListsIn } from './read.ts'
import { beforeUpload, fileListRoutes } from './routes.ts'

export const fileListModule: FeatureModule = {
  calls: [calls('fileLists', fileLists, fileListRoutes, beforeUpload)],
  openApiSchemas: { FileList: fileList.Row, FileListBody: fileList.Body },
  topics: ({ db, media }) => [
    {
      topic: fileList.topic,
      load: async (companyId, ids) =>
        (await fileListsIn(db, companyId).where('fileList.id', 'in', ids).execute()).map((row) => fileListRow(media, row)),
    },
  ],
}
