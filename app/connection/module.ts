import { Connection, ConnectionRow, connection, connections } from '#domain/connection/contract.ts'
import { connectionTopic } from '#domain/connection/topic.ts'
import { switchboard } from '../channels/leases.ts'
import { showingTypists } from '../channels/typing.ts'
import { answering } from '../channels/worker-rpc.ts'
import { forgetExpired } from '../inbound/inbound-journal.ts'
import { hearing } from '../inbound/inbound-processor.ts'
import { picturing } from '../inbound/pictures.ts'
import { calls, type FeatureModule } from '../module.ts'
import { sending } from '../outbound/outbox-sender.ts'
import { lookAfter, mailOutage } from './outage.ts'
import { closeLate, forgetUnheard } from './remove.ts'
import { beforeFiles, connectionRoutes, connectionsIn } from './routes.ts'
import { holding, link } from './session.ts'

/** How its session stands, under its published name. The code that links a phone is for those who may link one: they ask for it. */
const sessionNow = ({ id, companyId, status, number, updatedAt }: ConnectionRow) => ({
  channel: `company-${companyId}-whatsappSession`,
  action: 'update',
  session: { id, status, number, updatedAt },
})

export const connectionArea: FeatureModule = {
  calls: [calls('connections', connections, connectionRoutes, beforeFiles)],
  openApiSchemas: { Connection: ConnectionRow, WholeConnection: Connection, ConnectionBody: connection.Body },
  topics: ({ db }) => [
    {
      topic: connectionTopic,
      load: (companyId, ids) => connectionsIn(db, companyId).where('id', 'in', ids).execute(),
      beside: sessionNow,
    },
  ],
  jobs: [link, closeLate, mailOutage],
  scheduledTasks: [
    { name: 'look after connections', everyMs: 10_000, run: lookAfter },
    { name: 'forget what was told of messages', everyMs: 60 * 60_000, atStart: true, run: forgetExpired },
    { name: 'forget what nobody will hear', everyMs: 60_000, atStart: true, run: forgetUnheard },
  ],
  backgroundTasks: [(works, signal) => switchboard([hearing, sending, holding, answering, showingTypists, picturing], works, signal)],
}
