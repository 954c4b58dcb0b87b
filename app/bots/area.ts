import type { Area } from '../area.ts'
import { bots } from './run.ts'

export const botArea: Area = { reactors: [bots] }
