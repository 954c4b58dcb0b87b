import { topic } from '#domain/topic.ts'
import type { ConnectionRow } from './contract.ts'

export const connectionTopic = topic<ConnectionRow>('whatsapp', 'whatsapp', () => true)
