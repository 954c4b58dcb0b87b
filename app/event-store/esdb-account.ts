import { readFileSync } from 'node:fs'
import { request as plain } from 'node:http'
import { request as secured } from 'node:https'
import { BACKWARDS, END, type EventStoreDBClient, NO_STREAM, StreamNotFoundError } from '@eventstore/db-client'
import { parseConnectionString } from '@eventstore/db-client/dist/Client/parseConnectionString.js'

/** The EventStoreDB account is missing or cannot be created; the message is one line. */
export class EsdbAccountMissing extends Error {
  override readonly name = 'EsdbAccountMissing'
}

type Credentials = { username: string; password: string }
type Node = { address: string; port: number; ca: Buffer | null; isSecured: boolean }

/** The nodes and the account in a connection string. */
export function parseNodesAndAccount(connectionString: string): { nodes: Node[]; account: Credentials } {
  const { hosts, tls = true, tlsCAFile, defaultCredentials } = parseConnectionString(connectionString)
  if (!defaultCredentials) throw new EsdbAccountMissing('EVENTSTORE_URL: has no account: esdb://name:password@host:2113')
  const ca = tls && tlsCAFile ? readFileSync(tlsCAFile) : null
  return { nodes: hosts.map((host) => ({ ...host, ca, isSecured: tls })), account: defaultCredentials }
}

/** Creates the account of the connection string, or sets its password; 'same' if it already works. */
export async function ensureAccount(node: Node, account: Credentials, admin: Credentials): Promise<'made' | 'changed' | 'same'> {
  const { username, password } = account
  if (username === admin.username)
    throw new EsdbAccountMissing(`EVENTSTORE_URL: uses the administrator ${username}; give the product an account of its own`)
  if ((await requestStatus(node, account, 'GET', '/users/$current')) === 200) return 'same'
  const made = await requestStatus(node, admin, 'POST', '/users/', { loginName: username, fullName: 'Guichê', groups: [], password })
  if (made === 201) return 'made'
  if (made === 401) throw new EsdbAccountMissing(`EVENTSTORE_ADMIN_PASSWORD: EventStoreDB rejects it for ${admin.username}`)
  if (made !== 409) throw new EsdbAccountMissing(`EventStoreDB answered ${made} when the account was created`)
  const reset = await requestStatus(node, admin, 'POST', `/users/${encodeURIComponent(username)}/command/reset-password`, {
    newPassword: password,
  })
  if (reset !== 200) throw new EsdbAccountMissing(`EventStoreDB answered ${reset} when the password of ${username} was reset`)
  return 'changed'
}

/** Lets `reader` read $all. By default only admins may; any signed-in account may read the other streams. */
export async function grantReadAll(client: EventStoreDBClient, reader: string, credentials: Credentials): Promise<'opened' | 'same'> {
  const { roles, revision } = await readAllAcl(client, credentials)
  if (roles.includes(reader)) return 'same'
  const readRoles = [...new Set(['$admins', ...roles, reader])]
  await client.setStreamMetadata('$all', { acl: { readRoles } }, { credentials, expectedRevision: revision })
  return 'opened'
}

type AllAcl = { roles: string[]; revision: bigint | typeof NO_STREAM }

async function readAllAcl(client: EventStoreDBClient, credentials: Credentials): Promise<AllAcl> {
  let found: AllAcl = { roles: [], revision: NO_STREAM }
  try {
    // Read to the end: an unfinished read keeps the client open.
    for await (const { event } of client.readStream('$$$all', { direction: BACKWARDS, fromRevision: END, maxCount: 1, credentials })) {
      const { $acl } = (event?.data ?? {}) as { $acl?: { $r?: string | string[] } }
      found = { roles: [$acl?.$r ?? []].flat(), revision: event!.revision }
    }
  } catch (error) {
    if (!(error instanceof StreamNotFoundError)) throw error
  }
  return found
}

function requestStatus(
  { address, port, ca, isSecured }: Node,
  who: Credentials,
  method: string,
  path: string,
  body?: object,
): Promise<number> {
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
