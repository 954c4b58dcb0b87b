import { randomBytes } from 'node:crypto'
import { WebSocket } from 'ws'
import { createPostgresEventStore } from '#app/event-store/postgres.ts'
import type { Bench } from './bench.ts'
import { type Spread, steadily } from './measure.ts'
import { type Person, phoneOf } from './place.ts'
import { contactOf } from './talk.ts'

/**
 * A signed-in socket in the lists and the notifications. Every frame is passed on as text. `localAddress` is the
 * source address, because sockets are limited per address.
 */
export function seat(origin: string, token: string, heard: (text: string) => void, localAddress = '127.0.0.1'): Promise<WebSocket> {
  const socket = new WebSocket(`${origin.replace('http', 'ws')}/api/live`, ['guiche.v1', `bearer.${token}`], {
    perMessageDeflate: false,
    localAddress,
  })
  return new Promise((resolve, reject) => {
    socket.once('error', reject)
    socket.on('message', (data) => heard((data as Buffer).toString()))
    socket.once('open', () => {
      for (const emit of ['joinTickets', 'joinNotification']) socket.send(JSON.stringify({ emit }))
      resolve(socket)
    })
  })
}

/** Messages of customers with an open ticket. Each contains its run and number, so that a socket can recognise it. */
export function writing({ activeTickets }: Bench) {
  const run = randomBytes(4).toString('hex')
  const { tickets, waiting, open } = activeTickets.size
  const people = Math.min(2000, open)
  const path = `/sandbox/${activeTickets.connectionId}/inbound`
  return {
    run,
    path,
    admin: (n: number): Person => activeTickets.admins[n % activeTickets.admins.length]!,
    /** The ticket of the n-th message. */
    ticketOf: (n: number) => tickets - waiting - (n % people),
    body: (n: number) => {
      const phone = phoneOf(contactOf(tickets - waiting - (n % people), activeTickets))
      return { id: `${run}-${n}`, from: phone, name: `Cliente ${phone}`, body: `Olá, ainda aguardo o pedido ${run}-${n}. Podem ver?` }
    },
    /** The number of the message that a frame shows, or null. */
    shown: new RegExp(`-appMessage","action":"create".*?${run}-(\\d+)\\.`),
    stored: `%${run}-%`,
  }
}

/** The maximum rate of the event store in this run: bare appends of one small event each, by parallel writers. */
export async function bareAppends({ url }: Bench, writers: number, seconds: number): Promise<Spread> {
  const log = await createPostgresEventStore({ connectionString: url() })
  const run = randomBytes(6).toString('hex')
  const id = () => randomBytes(16).toString('hex')
  try {
    return await steadily(writers, seconds, async (_, n) => {
      const meta = {
        v: 1,
        companyId: 1,
        by: { kind: 'system' },
        at: new Date().toISOString(),
        contactId: 1,
        commandId: id(),
        hash: id() + id(),
      }
      await log.append(`floor-${run}-${n}`, 'none', [{ id: id(), type: 'Floor', data: { body: { sealed: 'x'.repeat(150) }, n }, meta }])
    })
  } finally {
    await log.close()
  }
}
