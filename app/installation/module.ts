import { Installation, installation } from '#domain/installation/contract.ts'
import { calls, type FeatureModule } from '../module.ts'
import { installationRoutes } from './routes.ts'

export const installationModule: FeatureModule = {
  calls: [calls('installation', installation, installationRoutes)],
  openApiSchemas: { Installation },
}
