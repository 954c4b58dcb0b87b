import { ConnectionRow, connections, connectionTopic } from '#domain/connection/contract.ts'
import { type Area, calls } from '../area.ts'
import { hearing } from '../channels/hear.ts'
import { switchboard } from '../channels/switchboard.ts'
import { sending } from '../message/sending.ts'
import { connectionRoutes, connectionsIn } from './routes.ts'

export const connectionArea: Area = {
  calls: [calls('connections', connections, connectionRoutes)],
  shapes: { Connection: ConnectionRow },
  topics: ({ db }) => [{ topic: connectionTopic, load: (companyId, ids) => connectionsIn(db, companyId).where('id', 'in', ids).execute() }],
  lasting: [(works, signal) => switchboard([hearing, sending], works, signal)],
}
