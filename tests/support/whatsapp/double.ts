import { EventEmitter, on, once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pino } from 'pino'
import { WebSocketServer } from 'ws'
import { silence } from '#app/whatsapp/baileys-logger.ts'
import { stallMs } from '../wait.ts'
import { connected } from './connection.ts'
import { contact } from './contact.ts'
import { mediaServer } from './media.ts'
import { serverKeys } from './noise.ts'
import { phone } from './phone.ts'
import {
  type Contact,
  companionsOf,
  type Group,
  type Named,
  newId,
  node,
  type Phone,
  type Received,
  seconds,
  tell,
  type World,
} from './world.ts'

export type Double = Awaited<ReturnType<typeof whatsappDouble>>

/**
 * A double of WhatsApp's multi-device server on this machine, with the phones of accounts and contacts and real
 * end-to-end encryption. It answers the requests of Baileys 7.0.0-rc14 with Baileys' own encoders; `unhandled`
 * holds the rest.
 */
export async function whatsappDouble() {
  silence()
  const events: World['events'] = new EventEmitter()
  const files = new Map<string, Buffer>()
  const { host, certificate, server: media } = await mediaServer(files, () => world)
  const world: World = {
    ...{ log: pino({ level: 'silent' }), events, unhandled: [], asked: [], phones: [], contacts: [], groups: [], companions: [] },
    ...{
      connections: new Set(),
      orders: new Map(),
      media: files,
      mediaHost: host,
      failNext: null,
      holdAcks: false,
      lose: 0,
      holdFiles: null,
      filesAway: 0,
      refuseFiles: null,
      goneFiles: new Set(),
      replaced: 0,
      revision: 0,
      silent: false,
    },
  }
  events.setMaxListeners(0)
  const keys = serverKeys()
  const http = createServer(({ url }, response) => {
    if (url === '/sw.js') response.end(`self.x = "{\\"client_revision\\":${world.revision},\\"server_revision\\":1}"`)
    else response.writeHead(404).end()
  })
  const sockets = new WebSocketServer({ server: http, path: '/ws/chat' })
  sockets.on('connection', (socket, { url }) => connected(world, socket, keys, new URL(url!, 'ws://x').search))
  http.listen(0, '127.0.0.1')
  await once(http, 'listening')

  return {
    world,
    url: `ws://127.0.0.1:${(http.address() as AddressInfo).port}/ws/chat`,
    /** The address of the page with the current version. */
    versionUrl: `http://127.0.0.1:${(http.address() as AddressInfo).port}/sw.js`,
    /** The certificate that clients must trust for its files. */
    certificate,
    addPhone(named: Named): Phone {
      const one = phone(world, named)
      world.phones.push(one)
      return one
    },
    addContact(named: Named): Contact {
      const one = contact(world, named)
      world.contacts.push(one)
      return one
    },
    addGroup(of: Omit<Group, 'jid' | 'since'>): Group {
      const group = { ...of, since: '1700000000', jid: `1203630${Math.floor(Math.random() * 1e11)}@g.us` }
      world.groups.push(group)
      return group
    },
    /** A member renames the group. */
    rename(group: Group, by: Contact, subject: string): void {
      Object.assign(group, { subject, since: seconds() })
      const attrs = { id: newId(), from: group.jid, type: 'w:gp2', t: seconds(), participant: by.lidJid, addressing_mode: 'lid' }
      const changed = node('notification', attrs, [node('subject', { subject, s_t: group.since, s_o: by.lidJid })])
      for (const one of group.phones) for (const companion of companionsOf(world, one)) tell(companion, changed)
    },
    companions: (of: Phone) => companionsOf(world, of),
    /** A network failure: every socket is cut without a close. */
    drop() {
      for (const connection of world.connections) connection.drop()
    },
    /** Waits for a message on a contact's phone that fits. */
    async arrived(at: Contact, is: (one: Received) => unknown = () => true): Promise<Received> {
      const found = () => at.received.find(is)
      if (found()) return found()!
      for await (const _ of on(events, 'arrived', { signal: AbortSignal.timeout(stallMs) })) if (found()) break
      return found()!
    },
    async stop() {
      for (const connection of world.connections) connection.drop()
      sockets.close()
      for (const server of [http, media]) {
        server.closeAllConnections()
        server.close()
        await once(server, 'close')
      }
    },
  }
}
