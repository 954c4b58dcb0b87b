import tls from 'node:tls'
import { expect } from 'vitest'
import { startTestApp, type TestApp } from '#tests/support/server.ts'
import { eventually } from '#tests/support/wait.ts'
import { type Double, whatsappDouble } from './double.ts'
import type { Phone } from './world.ts'

/** An app whose numbers are linked at a WhatsApp double, which also serves its files. */
export async function installationAtDouble(options: Parameters<typeof startTestApp>[0] = {}): Promise<{ house: TestApp; double: Double }> {
  const double = await whatsappDouble()
  tls.setDefaultCACertificates([...tls.getCACertificates('default'), double.certificate])
  const whatsapp = { whatsappUrl: double.url, whatsappVersionUrl: double.versionUrl }
  return { double, house: await startTestApp({ ...options, config: { ...whatsapp, ...options.config } }) }
}

export const stands = async ({ db }: Pick<TestApp, 'db'>, id: number) =>
  db.selectFrom('connection').select(['status', 'qrcode', 'number']).where('id', '=', id).executeTakeFirstOrThrow()

/** The QR code that a connection shows. */
export const codeOf = async ({ as }: Pick<TestApp, 'as'>, id: number): Promise<string> =>
  (
    await eventually(
      async () => (await as('admin')('GET', `/whatsapp/${id}`)).body as { qrcode: string },
      ({ qrcode }) => qrcode !== '',
    )
  ).qrcode
export const becomes = (app: Pick<TestApp, 'db'>, id: number, wanted: string) =>
  eventually(
    () => stands(app, id),
    ({ status }) => status === wanted,
  )

/** A connection of the app, linked to a phone by its QR code. */
export async function linked(app: TestApp, double: Double, pn = '5511900000001'): Promise<{ id: number; phone: Phone }> {
  const phone = double.addPhone({ pn, name: 'Balcão' })
  const { status, body } = await app.as('admin')('POST', '/whatsapp', {
    name: `Linha ${pn.slice(-4)}`,
    channel: 'whatsapp',
    allowGroup: true,
  })
  expect({ status, body }).toMatchObject({ status: 200, body: { provider: 'beta', status: 'qrcode' } })
  await phone.scan(await codeOf(app, body.id))
  await becomes(app, body.id, 'CONNECTED')
  return { id: body.id, phone }
}

/** The messages of all tickets of a connection, in order. */
export async function threadOf(app: TestApp, connection: number) {
  await app.settled()
  return app.db
    .selectFrom('message')
    .innerJoin('ticket', 'ticket.id', 'message.ticketId')
    .select([
      ...(['message.id', 'message.ticketId', 'message.body', 'message.fromMe', 'message.ack', 'message.deletedBy'] as const),
      ...([
        'message.quotedId',
        'message.media',
        'message.mediaType',
        'message.undecryptable',
        'message.failed',
        'message.uncertain',
        'message.isForwarded',
      ] as const),
      'ticket.contactId',
    ])
    .where('ticket.whatsappId', '=', connection)
    .orderBy('message.id')
    .execute()
}
/** An admin accepts a ticket and writes in it. */
export async function answersIn(app: TestApp, ticketId: number, body: string, more: object = {}) {
  const admin = app.as('admin')
  await admin('PUT', `/tickets/${ticketId}`, { status: 'open', queueId: app.company.queues.vendas })
  const { status, body: sent } = await admin('POST', `/messages/${ticketId}`, { body, ...more })
  expect({ status, sent }).toMatchObject({ status: 200 })
  return sent.messages.at(-1)
}
