import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import type { Channel } from '#app/channels/channel.ts'
import { runLeaseCoordinator, type Work } from '#app/channels/leases.ts'
import { startTestApp, type TestApp } from '#tests/support/server.ts'

/* An app without a worker role. A test starts as many lease coordinators as it needs; each acts as one worker process. */
export let app: TestApp
export const nothing = async () => undefined
/** Intervals so long that nothing happens by time, only by notification. */
export const still = { beatMs: 60_000, leaseMs: 120_000, sweepMs: 60_000 }
export const brisk = { beatMs: 50, leaseMs: 5000, sweepMs: 100 }
const boards: { over: AbortController; ended: Promise<void> }[] = []
/** Opens one app for a file of tests. */
export function openInstallation(): void {
  const done = new AbortController()
  beforeAll(async () => {
    app = await startTestApp({ roles: ['web', 'projector'] })
    void app.runTicketReactor(done.signal)
  })
  afterEach(async () => {
    for (const { over, ended } of boards.splice(0)) {
      over.abort()
      await ended
    }
  })
  afterAll(async () => {
    done.abort()
    await app?.stop()
  })
}

export function board<D extends typeof app.ctx>(works: Work<D>[], deps: D, pace = brisk) {
  const over = new AbortController()
  const ended = runLeaseCoordinator(works, deps, over.signal, pace)
  boards.push({ over, ended })
  return {
    async stop() {
      over.abort()
      await ended
    },
  }
}
/** A channel whose sends a test observes. */
export function provider(send: (connectionId: number, body: string) => Promise<void> | void) {
  const channel: Channel = {
    supportsIdempotentSend: false,
    send: async ({ connectionId }, _, { body }) => {
      await send(connectionId, body)
      return null
    },
    ...{ edit: nothing, react: nothing, remove: nothing, read: nothing },
  }
  return { ...app.ctx, channel: () => channel }
}

let made = 0
export async function connections(n: number, provider = 'sandbox'): Promise<number[]> {
  const row = {
    ...{ companyId: app.company.companies.casa, channel: 'whatsapp' as const, provider, number: null, status: 'CONNECTED' as const },
    ...{
      isDefault: false,
      allowGroup: true,
      groupAsTicket: 'disabled' as const,
      color: null,
      greetingMessage: null,
      complationMessage: null,
    },
  }
  const rows = Array.from({ length: n }, () => ({ ...row, name: `Linha ${++made}` }))
  const ids = await app.db.insertInto('connection').values(rows).returning('id').execute()
  return ids.map(({ id }) => id)
}
/** Conversations of a connection, and functions to write in them. */
export async function conversations(whatsappId: number, n: number) {
  const bruno = app.as('bruno')
  const tickets: { id: number; contactId: number; whatsappId: number }[] = []
  for (let i = 0; i < n; i++) {
    const number = nextNumber()
    const row = { companyId: app.company.companies.casa, channel: 'whatsapp', number, numberKey: number, name: number, isGroup: false }
    const { id: contactId } = await app.db
      .insertInto('contact')
      .values({ ...row, whatsappId, extraInfo: '[]', lgpdAcceptedAt: null, urlPicture: null, deletedAt: null })
      .returning('id')
      .executeTakeFirstOrThrow()
    const { status, body } = await bruno('POST', '/tickets', { contactId, whatsappId, queueId: app.company.queues.vendas })
    expect([status, body]).toEqual([200, expect.anything()])
    tickets.push(body)
  }
  return {
    say: async (i: number, body: string) => expect((await bruno('POST', `/messages/${tickets[i]!.id}`, { body })).status).toBe(200),
    /** The customer writes. */
    async hears(i: number, body: string): Promise<void> {
      const { nextMessageId, execute } = app.ctx
      const ticket = tickets[i]!
      const own = { ticketId: ticket.id, connectionId: ticket.whatsappId, uuid: '', channel: 'whatsapp' as const }
      const opening = { ...ticket, ...own, group: false, queueId: null, predecessorId: null }
      const content = { messageId: await nextMessageId(), kind: 'chat' as const, body, media: null, vCard: null }
      const stamp = {
        companyId: app.company.companies.casa,
        by: { kind: 'contact' as const, id: ticket.contactId },
        at: new Date().toISOString(),
      }
      const asked = { type: 'Receive' as const, externalId: `${ticket.id}-${body}`, quotedExternalId: null, participant: null, opening }
      await execute(ticket.id, { ...asked, ...content, ...stamp }, `${ticket.id}-${body}`)
      await app.settled()
    },
  }
}
export const waiting = (connectionId: number) =>
  app.db
    .selectFrom('outbox')
    .select(['attempts', 'kind'])
    .where('connectionId', '=', connectionId)
    .where('state', '=', 'waiting')
    .orderBy('n')
    .execute()

export const nextNumber = () => `55119${40_000_000 + ++made}`
