import { contactImports, ImportTable, UploadedTable } from '#domain/contact-import/contract.ts'
import { hourMs } from '#domain/duration/rules.ts'
import { calls, type FeatureModule } from '../module.ts'
import { beforeUpload, contactImportRoutes } from './routes.ts'
import { deleteOldImports, importContacts } from './run.ts'

export const contactImportModule: FeatureModule = {
  calls: [calls('contactImports', contactImports, contactImportRoutes, beforeUpload)],
  openApiSchemas: { ImportTable, UploadedTable },
  bulkOperations: { importContacts },
  scheduledTasks: [{ name: 'delete old contact imports', everyMs: hourMs, run: deleteOldImports }],
}
