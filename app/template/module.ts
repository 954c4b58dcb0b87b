import { Template, templates } from '#domain/template/contract.ts'
import { type Area, calls } from '../module.ts'
import { beforeHeader, templateRoutes } from './routes.ts'

export const templateArea: Area = {
  calls: [calls('templates', templates, templateRoutes, beforeHeader)],
  shapes: { Template },
}
