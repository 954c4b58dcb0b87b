import tls from 'node:tls'
import { expect } from 'vitest'
import { startHouse, type TestHouse } from '#tests/support/server.ts'
import { eventually } from '#tests/support/wait.ts'
import { type Double, whatsappDouble } from './double.ts'
import type { Phone } from './world.ts'

/** A house whose numbers are linked at a double of WhatsApp, whose files it fetches there too. */
export async function houseAtDouble(options: Parameters<typeof startHouse>[0] = {}): Promise<{ house: TestHouse; double: Double }> {
  const double = await whatsappDouble()
  tls.setDefaultCACertificates([...tls.getCACertificates('default'), double.certificate])
  const whatsapp = { whatsappUrl: double.url, whatsappVersionUrl: double.versionUrl }
  return { double, house: await startHouse({ ...options, config: { ...whatsapp, ...options.config } }) }
}

export const stands = async ({ db }: Pick<TestHouse, 'db'>, id: number) =>
  db.selectFrom('connection').select(['status', 'qrcode', 'number']).where('id', '=', id).executeTakeFirstOrThrow()

/** The code that a connection shows. */
export const codeOf = async ({ as }: Pick<TestHouse, 'as'>, id: number): Promise<string> =>
  (
    await eventually(
      async () => (await as('admin')('GET', `/whatsapp/${id}`)).body as { qrcode: string },
      ({ qrcode }) => qrcode !== '',
    )
  ).qrcode
export const becomes = (house: Pick<TestHouse, 'db'>, id: number, wanted: string) =>
  eventually(
    () => stands(house, id),
    ({ status }) => status === wanted,
  )

/** A connection of the house, linked to a phone as a person would: asked for, and its code read. */
export async function linked(house: TestHouse, double: Double, pn = '5511900000001'): Promise<{ id: number; phone: Phone }> {
  const phone = double.addPhone({ pn, name: 'Balcão' })
  const { status, body } = await house.as('admin')('POST', '/whatsapp', {
    name: `Linha ${pn.slice(-4)}`,
    channel: 'whatsapp',
    allowGroup: true,
  })
  expect({ status, body }).toMatchObject({ status: 200, body: { provider: 'beta', status: 'qrcode' } })
  await phone.scan(await codeOf(house, body.id))
  await becomes(house, body.id, 'CONNECTED')
  return { id: body.id, phone }
}

/** What stands in the tickets of who wrote by a connection, in order. */
export async function threadOf(house: TestHouse, connection: number) {
  await house.settled()
  return house.db
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
/** An admin accepts a ticket and writes there. */
export async function answersIn(house: TestHouse, ticketId: number, body: string, more: object = {}) {
  const admin = house.as('admin')
  await admin('PUT', `/tickets/${ticketId}`, { status: 'open', queueId: house.company.queues.vendas })
  const { status, body: sent } = await admin('POST', `/messages/${ticketId}`, { body, ...more })
  expect({ status, sent }).toMatchObject({ status: 200 })
  return sent.messages.at(-1)
}
