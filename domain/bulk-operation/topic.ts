import { topic } from '#domain/topic.ts'
import type { WorkRow } from './contract.ts'

/** Only the user who started a bulk operation sees it. */
export const workTopic = topic<WorkRow>('work', 'work', (viewer, { userId }) => viewer.id === userId)
