import { readFileSync } from 'node:fs'
import { EventStoreDBClient } from '@eventstore/db-client'
import { parseConfig } from '../config.ts'
import { EsdbAccountMissing, ensureAccount, grantReadAll, parseNodesAndAccount } from '../event-store/esdb-account.ts'
import { parseArguments } from './tools.ts'

const usage = `npm run log-account     creates the account of EVENTSTORE_URL in that EventStoreDB and lets it read $all;
                        needs EVENTSTORE_ADMIN_PASSWORD or EVENTSTORE_ADMIN_PASSWORD_FILE. It may be run again.`

const outcomes = { made: 'made', changed: 'given the password of EVENTSTORE_URL', same: 'was there' }
const { values } = parseArguments({ options: { help: { type: 'boolean', default: false } } })

if (values.help) console.log(usage)
else
  try {
    const { eventstoreUrl } = parseConfig({
      EVENTSTORE_URL: process.env.EVENTSTORE_URL,
      EVENTSTORE_URL_FILE: process.env.EVENTSTORE_URL_FILE,
    })
    if (!eventstoreUrl) throw new EsdbAccountMissing('EVENTSTORE_URL: is missing')
    const { nodes, account } = parseNodesAndAccount(eventstoreUrl)
    const admin = { username: 'admin', password: adminPassword() }
    const made = await ensureAccount(nodes[0]!, account, admin)
    const client = EventStoreDBClient.connectionString(eventstoreUrl)
    const opened = await grantReadAll(client, account.username, admin)
    await client.dispose()
    console.log(`${account.username}: ${outcomes[made]}; ${opened === 'opened' ? 'may read $all now' : 'could read $all already'}.`)
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    process.exitCode = 2
  }

function adminPassword(): string {
  const { EVENTSTORE_ADMIN_PASSWORD: password, EVENTSTORE_ADMIN_PASSWORD_FILE: file } = process.env
  const found = (file ? readFileSync(file, 'utf8') : (password ?? '')).trim()
  if (found === '') throw new EsdbAccountMissing('EVENTSTORE_ADMIN_PASSWORD: is missing')
  return found
}
