import { Template, templates } from '#domain/template/contract.ts'
import { calls, type FeatureModule } from '../module.ts'
import { beforeHeader, templateRoutes } from './routes.ts'

export const templateModule: FeatureModule = {
  calls: [calls('templates', templates, templateRoutes, beforeHeader)],
  openApiSchemas: { Template },
}
