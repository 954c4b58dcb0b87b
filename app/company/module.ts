import { CompanyHours, companyHours } from '#domain/company/contract.ts'
import { type Area, calls } from '../module.ts'
import { companyRoutes } from './routes.ts'

export const companyArea: Area = {
  calls: [calls('companies', companyHours, companyRoutes)],
  shapes: { CompanyHours },
}
