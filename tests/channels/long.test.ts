import { afterAll, beforeAll, expect, it } from 'vitest'
import type { InboundEvent } from '#app/channels/channel.ts'
import { recordInbound } from '#app/inbound/inbound-journal.ts'
import { beginning } from '#domain/text/rules.ts'
import { cards } from '#domain/vcard/rules.ts'
import { startTestApp, type TestApp } from '#tests/support/server.ts'

/* A-INBOUND-01: a text or contact cards larger than an event may be. */
let app: TestApp
let people = 0
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app?.stop())

type Message = Extract<InboundEvent, { type: 'message' }>
/** A customer of the connection, with functions to write and the messages as an agent reads them. */
async function customer() {
  const number = `55119661${String(++people).padStart(5, '0')}`
  const origin = { from: [{ kind: 'phone' as const, id: number }], at: new Date().toISOString() }
  const record = async (externalId: string, payload: InboundEvent) => {
    const { id: connectionId } = await app.db
      .selectFrom('connection')
      .select('id')
      .where('id', '=', app.company.connections.loja)
      .executeTakeFirstOrThrow()
    await recordInbound(app.db, [
      { companyId: app.company.companies.casa, connectionId, externalId, conversation: number, payload: payload },
    ])
    app.ctx.wakeWorker(connectionId)
    await app.settled()
  }
  return {
    says: (of: Partial<Message>) =>
      record(of.externalId ?? `long-${people}`, {
        ...{ type: 'message', externalId: `long-${people}`, name: `Prolixo ${people}`, group: null, kind: 'chat', body: '', media: null },
        ...{ vCard: null, quotedExternalId: null, ...origin, ...of },
      }),
    edits: (body: string) =>
      record(`edit-${people}-${body.length}`, { type: 'edit', externalId: `long-${people}`, body, group: null, ...origin }),
    async thread() {
      const { ticketId } = await app.db
        .selectFrom('message')
        .innerJoin('ticket', 'ticket.id', 'message.ticketId')
        .innerJoin('contact', 'contact.id', 'ticket.contactId')
        .select('ticketId')
        .where('contact.number', '=', number)
        .executeTakeFirstOrThrow()
      return (await app.as('admin')('GET', `/messages/${ticketId}`)).body.messages
    },
  }
}
const fileOf = async ({ mediaUrl }: { mediaUrl: string }) => (await app.stranger('GET', mediaUrl)).body

it.each([
  ['52,000 letters', 'a'.repeat(52_000)],
  ['40,000 characters with accents', 'ção '.repeat(10_000)],
  ['30,000 Arabic letters', 'مرحبا '.repeat(5_000)],
  ['family emoji, which must not be divided', '👨‍👩‍👧‍👦'.repeat(3_000)],
])('the beginning of a long text (%s) is shown, and the whole text is a file', async (_, text) => {
  const ana = await customer()
  await ana.says({ body: text })
  const [message] = await ana.thread()
  expect(message).toMatchObject({ mediaType: 'chat', media: { name: 'mensagem.txt', mime: 'text/plain', size: Buffer.byteLength(text) } })
  expect(message.body.length).toBeGreaterThan(8_000)
  expect(text.startsWith(message.body)).toBe(true)
  const letters = [...new Intl.Segmenter().segment(text.slice(0, message.body.length + 40))].map(({ index }) => index)
  expect(letters).toContain(message.body.length)
  expect(await fileOf(message)).toBe(text)
})

it('a text that fits in an event stays unchanged', async () => {
  const bia = await customer()
  await bia.says({ body: 'ç'.repeat(16_000) })
  expect((await bia.thread())[0]).toMatchObject({ body: 'ç'.repeat(16_000), media: null })
})

it('two hundred contact cards are kept, and the first ones are shown', async () => {
  const names = Array.from({ length: 200 }, (_, i) => `Contato número ${i}`)
  const vCard = names
    .map(
      (name, i) =>
        `BEGIN:VCARD\nVERSION:3.0\nN:;${name};;;\nFN:${name}\nitem1.TEL;waid=55119${i}:+55 11 9${i}\nPHOTO:${'A'.repeat(200)}\nEND:VCARD`,
    )
    .join('\n')
  const caio = await customer()
  await caio.says({ kind: 'contactMessage', vCard })
  const [message] = await caio.thread()
  expect(message).toMatchObject({ mediaType: 'contactMessage', media: { name: 'contatos.vcf', mime: 'text/vcard' } })
  expect(cards(message.vCard).length).toBeGreaterThan(20)
  expect(cards(message.vCard)[0]!.name).toBe(names[0])
  expect(cards(await fileOf(message)).map(({ name }) => name)).toEqual(names)
})

it('a long edit is kept as a file, and a later short edit removes the file', async () => {
  const duda = await customer()
  await duda.says({ body: 'curto' })
  await duda.edits('b'.repeat(60_000))
  const [long] = await duda.thread()
  expect(long).toMatchObject({ isEdited: true, media: { size: 60_000 } })
  expect(await fileOf(long)).toBe('b'.repeat(60_000))
  await duda.edits('curto de novo')
  expect((await duda.thread())[0]).toMatchObject({ body: 'curto de novo', media: null })
})

it('a cut text is forwarded completely, as a file', async () => {
  const eva = await customer()
  const text = 'c'.repeat(50_000)
  await eva.says({ body: text })
  const [{ id, ticketId }] = await eva.thread()
  const { contactId } = await app.db.selectFrom('ticket').select('contactId').where('id', '=', ticketId).executeTakeFirstOrThrow()
  expect((await app.as('admin')('POST', '/message/forward', { messageId: id, contactId })).status).toBe(200)
  await app.settled()
  const sent = (await eva.thread()).at(-1)
  expect(sent).toMatchObject({ fromMe: true, mediaType: 'application', body: '', media: { name: 'mensagem.txt' }, failed: null })
  expect(await fileOf(sent)).toBe(text)
})

it('a text is cut between two visible characters', () => {
  expect(beginning('ação', 2)).toBe('a')
  expect(beginning('ação', 3)).toBe('aç')
  expect(beginning('x👍🏽', 6)).toBe('x')
  expect(beginning('x👍🏽', 9)).toBe('x👍🏽')
  expect(beginning(`x${'\u0301'.repeat(10_000)}`, 5_000).isWellFormed()).toBe(true)
})
