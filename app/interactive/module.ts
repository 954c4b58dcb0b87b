import { interactive } from '#domain/interactive/contract.ts'
import { type Area, calls } from '../module.ts'
import { beforePicture, interactiveRoutes } from './routes.ts'

export const interactiveArea: Area = { calls: [calls('interactive', interactive, interactiveRoutes, beforePicture)] }
