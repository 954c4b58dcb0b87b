import { uploads } from '#domain/upload/contract.ts'
import { calls, type FeatureModule } from '../module.ts'
import { beforeUpload, uploadRoutes } from './routes.ts'

export const uploadModule: FeatureModule = { calls: [calls('uploads', uploads, uploadRoutes, beforeUpload)] }
