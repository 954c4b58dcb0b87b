import { refuse } from '#domain/errors.ts'
import type { uploads } from '#domain/upload/contract.ts'
import type { AppContext } from '../context.ts'
import { addPart } from '../http/partial-uploads.ts'
import type { Handlers, UploadGuard } from '../http/serve.ts'

export const beforeUpload = (): UploadGuard<typeof uploads> => ({ part: async () => ({}) })

export const uploadRoutes = ({ uploadDir }: Pick<AppContext, 'uploadDir'>): Handlers<typeof uploads> => ({
  async part({ viewer, body, files: [part, ...more] }) {
    if (!part || more.length > 0) refuse('ERR_INVALID_INPUT', { field: 'part' })
    return { bytes: await addPart(uploadDir, viewer, body, part) }
  },
})
