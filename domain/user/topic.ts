import { topic } from '#domain/topic.ts'
import type { UserRow } from './contract.ts'

export const userTopic = topic<UserRow>('user', 'user', () => true)
