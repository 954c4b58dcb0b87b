import { readFileSync } from 'node:fs'
import { request as plain } from 'node:http'
import { request as secured } from 'node:https'
import { BACKWARDS, END, type EventStoreDBClient, NO_STREAM, StreamNotFoundError } from '@eventstore/db-client'
import { parseConnectionString } from '@eventstore/db-client/dist/Client/parseConnectionString.js'

/** What EventStoreDB says no with, in one line. */
export class NoAccount extends Error {
  override readonly name = 'NoAccount'
}

type Credentials = { username: string; password: string }
type Node = { address: string; port: number; ca: Buffer | null; isSecured: boolean }

/** The nodes that a connection string names, and who enters by it. */
export function namedIn(connectionString: string): { nodes: Node[]; account: Credentials } {
  const { hosts, tls = true, tlsCAFile, defaultCredentials } = parseConnectionString(connectionString)
  if (!defaultCredentials) throw new NoAccount('EVENTSTORE_URL: names no account: esdb://name:password@host:2113')
  const ca = tls && tlsCAFile ? readFileSync(tlsCAFile) : null
  return { nodes: hosts.map((host) => ({ ...host, ca, isSecured: tls })), account: defaultCredentials }
}

/** The account as the connection string has it: made, or given this password where it has another; 'same' where it is right already. */
export async function makeAccount(node: Node, account: Credentials, admin: Credentials): Promise<'made' | 'changed' | 'same'> {
  const { username, password } = account
  if (username === admin.username)
    throw new NoAccount(`EVENTSTORE_URL: enters as ${username}, who may do anything; name an account of its own`)
  if ((await asked(node, account, 'GET', '/users/$current')) === 200) return 'same'
  const made = await asked(node, admin, 'POST', '/users/', { loginName: username, fullName: 'Guichê', groups: [], password })
  if (made === 201) return 'made'
  if (made === 401) throw new NoAccount(`EVENTSTORE_ADMIN_PASSWORD: EventStoreDB does not take it for ${admin.username}`)
  if (made !== 409) throw new NoAccount(`EventStoreDB answered ${made} to a new account`)
  const reset = await asked(node, admin, 'POST', `/users/${encodeURIComponent(username)}/command/reset-password`, { newPassword: password })
  if (reset !== 200) throw new NoAccount(`EventStoreDB answered ${reset} to a new password of ${username}`)
  return 'changed'
}

/** Reading $all is for admins until its list says otherwise; every other stream is open to who has signed in. */
export async function openAll(client: EventStoreDBClient, reader: string, credentials: Credentials): Promise<'opened' | 'same'> {
  const { roles, revision } = await listOfAll(client, credentials)
  if (roles.includes(reader)) return 'same'
  const readRoles = [...new Set(['$admins', ...roles, reader])]
  await client.setStreamMetadata('$all', { acl: { readRoles } }, { credentials, expectedRevision: revision })
  return 'opened'
}

type ListOfAll = { roles: string[]; revision: bigint | typeof NO_STREAM }

async function listOfAll(client: EventStoreDBClient, credentials: Credentials): Promise<ListOfAll> {
  let found: ListOfAll = { roles: [], revision: NO_STREAM }
  try {
    // to its end: a read that is left early holds the client open
    for await (const { event } of client.readStream('$$$all', { direction: BACKWARDS, fromRevision: END, maxCount: 1, credentials })) {
      const { $acl } = (event?.data ?? {}) as { $acl?: { $r?: string | string[] } }
      found = { roles: [$acl?.$r ?? []].flat(), revision: event!.revision }
    }
  } catch (error) {
    if (!(error instanceof StreamNotFoundError)) throw error
  }
  return found
}

function asked({ address, port, ca, isSecured }: Node, who: Credentials, method: string, path: string, body?: object): Promise<number> {
  const text = body ? JSON.stringify(body) : ''
  const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }
  const auth = `${who.username}:${who.password}`
  return new Promise((resolve, reject) => {
    const request = (isSecured ? secured : plain)({ host: address, port, path, method, headers, auth, timeout: 10_000, ...(ca && { ca }) })
    request.once('response', (answer) => {
      answer.resume()
      answer.once('end', () => resolve(answer.statusCode ?? 0))
    })
    request.once('timeout', () => request.destroy(new Error(`${address}:${port} does not answer`)))
    request.once('error', reject)
    request.end(text)
  })
}
