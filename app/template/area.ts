import { Template, templates } from '#domain/template/contract.ts'
import { type Area, calls } from '../area.ts'
import { templateRoutes } from './routes.ts'

export const templateArea: Area = {
  calls: [calls('templates', templates, templateRoutes)],
  shapes: { Template },
}
