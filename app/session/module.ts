import { session } from '#domain/session/contract.ts'
import { type Area, calls } from '../module.ts'
import { mailReset } from './forgot.ts'
import { sessionRoutes } from './routes.ts'

export const sessionArea: Area = { calls: [calls('auth', session, sessionRoutes)], jobs: [mailReset] }
