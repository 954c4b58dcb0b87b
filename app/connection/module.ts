import { Connection, ConnectionRow, connection, connections } from '#domain/connection/contract.ts'
import { connectionTopic } from '#domain/connection/topic.ts'
import { hourMs, minuteMs } from '#domain/duration/rules.ts'
import { runLeaseCoordinator } from '../channels/leases.ts'
import { forwardTyping } from '../channels/typing.ts'
import { serveWorkerRpc } from '../channels/worker-rpc.ts'
import { running } from '../inbound/importing.ts'
import { forgetExpired } from '../inbound/inbound-journal.ts'
import { processInbound } from '../inbound/inbound-processor.ts'
import { syncAvatars } from '../inbound/pictures.ts'
import { calls, type FeatureModule } from '../module.ts'
import { runOutbox } from '../outbound/outbox-sender.ts'
import { mailOutage, monitorConnections } from './outage.ts'
import { closeLate, deleteOrphanedEvents } from './remove.ts'
import { beforeUpload, connectionRoutes, connectionsIn } from './routes.ts'
import { link, runSession } from './session.ts'

/** The live frame of a session, under its published name. It omits the pairing code, which only permitted users load. */
const sessionNow = ({ id, companyId, status, number, updatedAt }: ConnectionRow) => ({
  channel: `company-${companyId}-whatsappSession`,
  action: 'update',
  session: { id, status, number, updatedAt },
})

/**
 * The live frame of an import, under its published name: `update` while messages are imported, `refresh` when the state
 * changes otherwise.
 */
function importProgress(row: ConnectionRow, before: Partial<ConnectionRow> | undefined) {
  const { id, companyId, statusImportMessages: date, importDone, importAll } = row
  const same = before && date === before.statusImportMessages && importDone === before.importDone && importAll === before.importAll
  if (same || (!before && date === null)) return []
  const action = date === running ? 'update' : 'refresh'
  return [{ channel: `importMessages-${companyId}`, action, whatsappId: id, status: { this: importDone, all: importAll, date } }]
}

export const connectionModule: FeatureModule = {
  calls: [calls('connections', connections, connectionRoutes, beforeUpload)],
  openApiSchemas: { Connection: ConnectionRow, WholeConnection: Connection, ConnectionBody: connection.Body },
  topics: ({ db }) => [
    {
      topic: connectionTopic,
      load: (companyId, ids) => connectionsIn(db, companyId).where('id', 'in', ids).execute(),
      toCompanionFrames: (row: ConnectionRow, before?: Partial<ConnectionRow>) => [sessionNow(row), ...importProgress(row, before)],
    },
  ],
  jobs: [link, closeLate, mailOutage],
  scheduledTasks: [
    { name: 'look after connections', everyMs: 10_000, run: monitorConnections },
    { name: 'forget what was told of messages', everyMs: hourMs, atStart: true, run: forgetExpired },
    { name: 'forget what nobody will hear', everyMs: minuteMs, atStart: true, run: deleteOrphanedEvents },
  ],
  backgroundTasks: [
    (works, signal) =>
      runLeaseCoordinator([processInbound, runOutbox, runSession, serveWorkerRpc, forwardTyping, syncAvatars], works, signal),
  ],
}
