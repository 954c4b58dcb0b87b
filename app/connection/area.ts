import { connections, connectionTopic } from '#domain/connection/contract.ts'
import { type Area, calls } from '../area.ts'
import { switchboard } from '../channels/switchboard.ts'
import { connectionRoutes, connectionsIn } from './routes.ts'

export const connectionArea: Area = {
  calls: [calls('connections', connections, connectionRoutes)],
  topics: ({ db }) => [{ topic: connectionTopic, load: (companyId, ids) => connectionsIn(db, companyId).where('id', 'in', ids).execute() }],
  lasting: [switchboard],
}
