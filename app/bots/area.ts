import type { Area } from '../area.ts'
import { sayPosition } from './position.ts'
import { bots } from './run.ts'

export const botArea: Area = { reactors: [bots], deadlines: { position: sayPosition } }
