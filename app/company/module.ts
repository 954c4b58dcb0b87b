import { CompanyHours, companyHours } from '#domain/company/contract.ts'
import { calls, type FeatureModule } from '../module.ts'
import { companyRoutes } from './routes.ts'

export const companyModule: FeatureModule = {
  calls: [calls('companies', companyHours, companyRoutes)],
  openApiSchemas: { CompanyHours },
}
