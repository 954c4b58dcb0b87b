import { Traffic, traffic } from '#domain/traffic/contract.ts'
import { type Area, calls } from '../module.ts'
import { trafficRoutes } from './routes.ts'

export const trafficArea: Area = { calls: [calls('traffic', traffic, trafficRoutes)], shapes: { Traffic } }
