import { stat } from 'node:fs/promises'
import path from 'node:path'
import type { FastifyInstance } from 'fastify'
import { mountAreas, shownTopics } from '../areas.ts'
import { demoAccounts } from '../demo/accounts.ts'
import type { House } from '../house.ts'
import { mountHealth } from '../http/health.ts'
import { gateway, type Seat } from '../http/live.ts'
import { base } from '../http/serve.ts'
import { openServer } from '../http/server.ts'
import { mountSockets } from '../http/sockets.ts'
import { sighted, stamp } from '../ticket/sight.ts'

const client = path.resolve(import.meta.dirname, '../../web/dist')

/** The web role: calls, the live socket, the files of the client. */
export async function openWeb(house: House): Promise<FastifyInstance> {
  const { db, ears, viewers, media, logger, settings } = house
  const server = await openServer({ logger, secret: house.secret, viewers, uploadDir: house.uploadDir, trustProxy: settings.trustProxy })
  house.jwt.current = server.jwt
  const live = gateway(shownTopics(house), (error) => logger.error({ err: error }, 'the gateway could not read what changed'))

  await media.mount(server)
  mountAreas(server, house)
  await mountSockets(server, {
    ...{ db, live, viewers, known: server.known },
    sees: (viewer, id) =>
      sighted(db, viewer, id).then(
        () => true,
        () => false,
      ),
    joined: (seat, id) =>
      tickets()
        .where('ticket.id', '=', id)
        .where('ticket.unreadMessages', '>', 0)
        .execute()
        .then((rows) => readBy(rows, [seat])),
  })
  server.get(`${base}/demo`, { schema: { hide: true } }, async (_, reply) =>
    settings.demo ? demoAccounts.map(({ email, name, role, password }) => ({ email, name, role, password })) : reply.callNotFound(),
  )
  mountHealth(server, house)
  await mountClient(server)

  ears.on('changes', (line) => {
    const [topic = '', op, company, ids] = line.split(' ')
    if (topic === '*') return live.refresh() // a rebuilt read model took its place
    if (/^(user|session|company|setting)$/.test(topic) && op !== 'presence') {
      viewers.forget()
      server.recheckSeats(Number(company))
    }
    live.hear(line)
    if (topic === 'appMessage' && op === 'insert')
      readAtOnce(Number(company), ids ?? '').catch((error) => logger.warn({ err: error }, 'not read at once'))
  })
  ears.on('frames', (text) => {
    const frame = JSON.parse(text) as { channel: string }
    live.tell(Number(/^company-(\d+)-/.exec(frame.channel)?.[1]), frame)
  })
  ears.onMissed(() => {
    viewers.forget()
    live.refresh()
  })

  const tickets = () => db.selectFrom('ticket').select(['ticket.id', 'ticket.userId', 'ticket.isGroup'])
  /** What arrives while its owner has the chat open is read (A-TICKET-06). */
  async function readAtOnce(companyId: number, ids: string): Promise<void> {
    const open = live.seats(companyId).filter(({ boxes }) => boxes.size > 0)
    if (open.length === 0) return
    const rows = await tickets()
      .innerJoin('message', 'message.ticketId', 'ticket.id')
      .distinct()
      .where('message.id', 'in', ids.split(',').map(Number))
      .where('message.fromMe', '=', false)
      .execute()
    await readBy(rows, open)
  }
  async function readBy(rows: { id: number; userId: number | null; isGroup: boolean }[], open: Seat[]): Promise<void> {
    for (const { id, userId, isGroup } of rows) {
      const seat = open.find(({ viewer, boxes }) => boxes.has(id) && (viewer.id === userId || isGroup))
      if (seat)
        await house.ask(id, { type: 'Access', userId: seat.viewer.id, ...stamp(seat.viewer) }, crypto.randomUUID()).catch(() => undefined)
    }
  }
  return server
}

/** The built client: its files as they lie there now, and its page at every address that is no call. */
async function mountClient(server: FastifyInstance): Promise<void> {
  const page = path.join(client, 'index.html')
  server.get<{ Params: { '*': string } }>('/*', { schema: { hide: true } }, async (request, reply) => {
    const wanted = path.join(client, request.params['*'].replaceAll('\0', ''))
    if (/^\/(api|docs)(\/|$)/.test(request.url)) return reply.callNotFound()
    const file = wanted.startsWith(client + path.sep) && (await stat(wanted).catch(() => null))?.isFile() ? wanted : null
    if (!file && (/\.\w{2,5}$/.test(wanted) || !(await stat(page).catch(() => null)))) return reply.callNotFound()
    const frozen = file?.includes(`${path.sep}assets${path.sep}`)
    reply.header('cache-control', frozen ? 'public, max-age=31536000, immutable' : 'no-cache')
    return reply.sendFile(path.relative(client, file ?? page), client)
  })
}
