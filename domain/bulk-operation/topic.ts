import { topic } from '#domain/topic.ts'
import type { WorkRow } from './contract.ts'

/** To whoever started it alone. */
export const workTopic = topic<WorkRow>('work', 'work', (viewer, { userId }) => viewer.id === userId)
