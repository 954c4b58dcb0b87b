import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { LeasedConnection } from '#app/channels/channel.ts'
import { runLeaseCoordinator } from '#app/channels/leases.ts'
import { monitorConnections } from '#app/connection/outage.ts'
import { runSession } from '#app/connection/session.ts'
import { openClock } from '#app/scheduler/clock.ts'
import { openAccount } from '#app/whatsapp/account.ts'
import { whatsappChannel } from '#app/whatsapp/channel.ts'
import { pruneKept } from '#app/whatsapp/kept.ts'
import { startTestApp, type TestApp } from '#tests/support/server.ts'
import { type Double, whatsappDouble } from '#tests/support/whatsapp/double.ts'
import { becomes, codeOf, linked, stands } from '#tests/support/whatsapp/linked.ts'
import { node, type Phone, tell } from '#tests/support/whatsapp/world.ts'

/* What is kept of a linked account, for how long, and who can read it. No worker holds connections here but where a test says so. */
const soon = <T>(look: () => T) => expect.poll(look)
let double: Double
let app: TestApp
let phone: Phone
let id: number
let ahead = 0
/** What the log calls an error. */
const faults = new Set<string>()
const log = (line: string) => void (JSON.parse(line).level >= 50 && faults.add(JSON.parse(line).msg))
let holder: { over: AbortController; ended: Promise<void> } | null = null
const holds = () => {
  const over = new AbortController()
  holder = { over, ended: runLeaseCoordinator([runSession], app.ctx, over.signal) }
}
const lets = async () => {
  holder?.over.abort()
  await holder?.ended
  holder = null
}
beforeAll(async () => {
  double = await whatsappDouble()
  app = await startTestApp({ config: { whatsappUrl: double.url }, roles: ['web', 'projector'], log, clock: openClock(() => ahead) })
  holds()
  ;({ id, phone } = await linked(app, double))
})
afterAll(async () => {
  await lets()
  await app?.db.updateTable('inboundEvent').set({ doneAt: new Date().toISOString() }).execute()
  if (app) await sql`delete from bullmq.job`.execute(app.db) // for workers, of which there are none
  await app?.stop({ faultsExpected: true })
  await double?.stop()
  expect([...faults]).toEqual(['WhatsApp event could not be parsed; dropped'])
})

const roundTripAt = async () =>
  (await app.db.selectFrom('connectionLease').select('roundTripAt').where('connectionId', '=', id).executeTakeFirstOrThrow()).roundTripAt
const silentSince = async () =>
  (await app.db.selectFrom('connection').select('silentSince').where('id', '=', id).executeTakeFirstOrThrow()).silentSince
const kept = async () =>
  (await app.db.selectFrom('waMessage').select('id').where('connectionId', '=', id).execute()).map((one) => one.id).toSorted()

it('a message is kept for thirty days, and not after an erasure', async () => {
  const bia = double.addContact({ pn: '5511900000003', name: 'Bia' })
  const caio = double.addContact({ pn: '5511900000004', name: 'Caio' })
  const [old, hers, his] = [await bia.says(phone, 'antiga'), await bia.says(phone, 'nova'), await caio.says(phone, 'minha')]
  await soon(kept).toEqual(expect.arrayContaining([old, hers, his]))
  await app.db.updateTable('waMessage').set({ at: sql<string>`now() - interval '31 days'` }).where('id', '=', old).execute()
  await pruneKept(app)
  expect(await kept()).not.toContain(old)

  const companyId = app.company.companies.casa
  const who = { companyId, channel: 'whatsapp', number: caio.pn, numberKey: caio.pn, name: 'Caio', extraInfo: '[]', isGroup: false }
  const none = { whatsappId: null, lgpdAcceptedAt: null, urlPicture: null, deletedAt: null }
  const { id: contactId } = await app.db
    .insertInto('contact')
    .values({ ...who, ...none })
    .returning('id')
    .executeTakeFirstOrThrow()
  await app.db
    .insertInto('contactIdentity')
    .values({ companyId, network: 'whatsapp', kind: 'lid', key: caio.lid, id: caio.lid, contactId })
    .execute()
  await app.ctx.contactKeys.of({ companyId, contactId })
  const key = 'a'.repeat(64)
  const media = JSON.stringify({ key, mime: 'image/png', name: 'picture.png', size: 4, width: 1, height: 1, seconds: null })
  await app.db.insertInto('rowFile').values({ companyId, list: 'contact', rowId: contactId, key, media }).execute()
  await app.db
    .updateTable('contact')
    .set({ urlPicture: `${key} image/png` })
    .where('id', '=', contactId)
    .execute()
  await app.db
    .updateTable('contactKey')
    .set({ wrapped: null, destroyedAt: new Date().toISOString() })
    .where('contactId', '=', contactId)
    .execute()
  expect(await kept()).not.toContain(his)
  expect(await kept()).toContain(hers)
  const shown = app.db.selectFrom('contact').select('urlPicture').where('id', '=', contactId)
  expect(await shown.executeTakeFirst()).toEqual({ urlPicture: null })
  const given = app.db.selectFrom('uploadReservation').select('companyId').where('key', '=', key) // what a sweep takes away
  expect([await app.db.selectFrom('rowFile').select('key').where('key', '=', key).execute(), await given.execute()]).toEqual([
    [],
    [{ companyId }],
  ])
})

it('every receipt for several messages is recorded', async () => {
  const dora = double.addContact({ pn: '5511900000006', name: 'Dora' })
  const first = { id: '3EB0A1', to: dora.lidJid, group: null }
  dora.mark(phone, first, 'read')
  dora.mark(phone, first, 'read', ['3EB0A2'])
  const rows = () => app.db.selectFrom('inboundEvent').select('payload').where('connectionId', '=', id).orderBy('id').execute()
  const marks = async () =>
    (await rows()).flatMap(({ payload }) => (payload as { externalIds?: string[] } | null)?.externalIds?.join() ?? [])
  await soon(marks).toEqual(['3EB0A1', '3EB0A1,3EB0A2'])
})

it('a message with an oversized id is dropped, and later ones are processed', async () => {
  const fay = double.addContact({ pn: '5511900000009', name: 'Fay' })
  await fay.says(phone, 'sem fim', { id: 'A'.repeat(4000) })
  await fay.says(phone, 'ilegível', { id: 'B'.repeat(4000), corrupt: true })
  fay.mark(phone, { id: 'C'.repeat(4000), to: fay.lidJid, group: null }, 'read')
  const behind = await fay.says(phone, 'depois')
  const ids = async () => (await app.db.selectFrom('inboundEvent').select('externalId').execute()).map(({ externalId }) => externalId)
  await soon(ids).toContain(behind)
  expect((await ids()).filter((one) => one.length > 500)).toEqual([])
  expect(await stands(app, id)).toMatchObject({ status: 'CONNECTED' })
})

/** What was heard under an id of the journal. */
const receivedAs = async (externalId: string) => {
  const row = await app.db.selectFrom('inboundEvent').select('payload').where('externalId', '=', externalId).executeTakeFirst()
  return row?.payload ?? null
}

it('a receipt that cannot be stored is dropped, and the connection stays up', async () => {
  await sql`create function refused() returns trigger language plpgsql as $$ begin raise exception 'never'; end $$`.execute(app.db)
  await sql`create trigger refused before insert on inbound_event for each row when (new.external_id like '3EB0D%') execute function refused()`.execute(
    app.db,
  )
  const gil = double.addContact({ pn: '5511900000010', name: 'Gil' })
  const [companion] = double.companions(phone)
  const line = companion!.connection
  gil.mark(phone, { id: '3EB0D1', to: gil.lidJid, group: null }, 'read')
  tell(companion!, node('receipt', { id: '3EB0E1', type: 'read', from: gil.lidJid }))
  tell(companion!, node('receipt', { id: '3EB0E2', type: 'read', from: gil.lidJid, t: 'ontem' }))
  const behind = await gil.says(phone, 'depois das marcas', { at: new Date(Number.NaN) })
  await soon(() => receivedAs(behind)).toMatchObject({ body: 'depois das marcas' })
  await soon(() => Promise.all(['3EB0E1:read', '3EB0E2:read'].map(receivedAs))).toMatchObject([{ mark: 'read' }, { mark: 'read' }])
  await soon(() => [...companion!.pending.keys()].filter((key) => key.includes('3EB0'))).toEqual([]) // none comes again
  await sql`drop function refused cascade`.execute(app.db)
  expect(companion!.connection).toBe(line)
})

it('an unreadable message is shown as such without asking the phone again', async () => {
  const asked: unknown[] = []
  const asks = ({ stanza: { attrs } }: { stanza: { attrs: { type?: string } } }) => attrs.type === 'retry' && asked.push(attrs)
  double.world.events.on('receipt', asks)
  const hugo = double.addContact({ pn: '5511900000011', name: 'Hugo' })
  const messageSecret = randomBytes(32)
  const poll = await hugo.send(phone, {
    pollCreationMessageV3: { name: 'Vem?', options: [{ optionName: 'sim' }] },
    messageContextInfo: { messageSecret },
  })
  await soon(kept).toContain(poll)
  await app.db
    .updateTable('waMessage')
    .set({ data: randomBytes(64) })
    .where('id', '=', poll)
    .execute()
  const vote = await hugo.vote(phone, { id: poll, secret: messageSecret, by: hugo.lidJid }, ['sim'])
  const named = await hugo.send(phone, {
    extendedTextMessage: { text: 'fala, @qualquer', contextInfo: { mentionedJid: ['qualquer'] } },
  })
  await soon(() => receivedAs(named)).toMatchObject({ body: 'fala, @qualquer' })
  expect(await receivedAs(vote)).toMatchObject({ kind: 'unsupported', body: '' })
  const { pending } = double.companions(phone)[0]!
  await soon(() => [poll, vote, named].filter((one) => pending.has(one))).toEqual([])
  double.world.events.off('receipt', asks)
  expect(asked).toEqual([])
})

it('a call is confirmed only after it is recorded', async () => {
  await sql`create sequence rung`.execute(app.db)
  await sql`
    create function full_up() returns trigger language plpgsql as
      $$ begin perform nextval('rung'); raise exception 'not now' using errcode = '53300'; end $$`.execute(app.db)
  await sql`create trigger full_up before insert on inbound_event for each row when (new.payload->>'type' = 'call') execute function full_up()`.execute(
    app.db,
  )
  const rung = async () => (await sql<{ called: boolean }>`select is_called as called from rung`.execute(app.db)).rows[0]!.called
  const { pending } = double.companions(phone)[0]!
  const waits = () => [...pending.values()].some(({ tag }) => tag === 'call')
  const call = double.addContact({ pn: '5511900000012', name: 'Iara' }).call(phone)
  await soon(rung).toBe(true)
  expect(waits()).toBe(true)
  await sql`drop function full_up cascade`.execute(app.db)
  await soon(() => receivedAs(call)).toMatchObject({ type: 'call', from: [{ id: '5511900000012' }, { kind: 'lid' }] })
  await soon(waits).toBe(false)
  await becomes(app, id, 'CONNECTED')
})

it('files are requested only from WhatsApp’s own hosts', async () => {
  let touched = 0
  const inside = createServer((_, answer) => void answer.end(String(++touched))).listen(0, '127.0.0.1')
  await once(inside, 'listening')
  const host = `127.0.0.1:${(inside.address() as AddressInfo).port}`
  const eli = double.addContact({ pn: '5511900000008', name: 'Eli' })
  const sent: string[] = []
  for (const of of [
    { url: `http://${host}/admin`, directPath: '' },
    { url: `https://x.whatsapp.net@${host}/`, directPath: '' },
    { url: 'https://x.whatsapp.net', directPath: `@${host}/own` },
    { url: 'https://x.whatsapp.net', directPath: '.evil.test/own' },
  ])
    sent.push(await eli.sendFile(phone, 'image', Buffer.from('x'), { mimetype: 'image/png', ...of }))
  await soon(kept).toEqual(expect.arrayContaining(sent))
  const at = { id, companyId: app.company.companies.casa }
  const files = await Promise.all(sent.map((one) => whatsappChannel(app.ctx.caches.whatsappSockets).fetch!(at, one)))
  expect([files, touched]).toEqual([[null, null, null, null], 0])
  inside.close()
})

it('the credentials of an account are not written without the lease', async () => {
  const creds = () => app.db.selectFrom('waAccount').select('creds').where('connectionId', '=', id).executeTakeFirst()
  const now = { id, companyId: app.company.companies.casa } as LeasedConnection['connection']
  const late = await openAccount({ connection: now, lease: { holder: 0, number: 0 } }, app.ctx)
  const before = await creds()
  await expect(late.save()).rejects.toThrow('Connection lease has expired')
  expect(await creds()).toEqual(before)
})

it('the state CONNECTED is retried until it is stored', async () => {
  await sql`create sequence tried`.execute(app.db)
  await sql`
    create function unkept() returns trigger language plpgsql as
      $$ begin perform nextval('tried'); raise exception 'not now'; end $$`.execute(app.db)
  await sql`create trigger unkept before update on connection for each row when (new.status = 'CONNECTED') execute function unkept()`.execute(
    app.db,
  )
  const tried = async () => (await sql<{ called: boolean }>`select is_called as called from tried`.execute(app.db)).rows[0]!.called
  double.drop()
  await soon(tried).toBe(true)
  expect((await stands(app, id)).status).toBe('OPENING')
  await sql`drop function unkept cascade`.execute(app.db)
  await becomes(app, id, 'CONNECTED')
})

it('a session ended without a lease holder removes the keys and the device', async () => {
  await lets()
  expect(double.companions(phone)).toHaveLength(1)
  expect((await app.as('admin')('DELETE', `/whatsappsession/${id}`)).status).toBe(204)
  holds()
  await soon(() => double.companions(phone)).toEqual([])
  const keys = () => app.db.selectFrom('waKey').select('id').where('connectionId', '=', id).limit(1).execute()
  await soon(keys).toEqual([])
  expect((await stands(app, id)).status).toBe('DISCONNECTED')
})

it('the pairing code is visible to users who may link, and encrypted in the tables', async () => {
  await app.as('admin')('PUT', `/whatsappsession/${id}`)
  const code = await codeOf(app, id)
  const { rows } = await sql<{ all: string }>`
    select string_agg(c::text, ' ') || (select string_agg(a::text, ' ') from audit a) as all from connection c`.execute(app.db)
  expect(rows[0]!.all).toContain('sealed ')
  for (const part of code.split(',').filter(({ length }) => length > 20)) expect(rows[0]!.all).not.toContain(part)
  expect((await app.as('ana')('GET', `/whatsapp/${id}`)).status).toBe(403)
  await phone.scan(code)
  await becomes(app, id, 'CONNECTED')
})

it('a connection without answers from WhatsApp is shown as silent until one arrives', async () => {
  const ana = double.addContact({ pn: '5511900000002', name: 'Ana' })
  await soon(roundTripAt).not.toBeNull()
  double.world.silent = true
  await sql`update connection_lease set round_trip_at = now() - interval '4 minutes'`.execute(app.db)
  await monitorConnections(app.ctx)
  expect(await silentSince()).not.toBeNull()
  double.world.silent = false
  ahead += 30_000
  await ana.says(phone, 'voltou?')
  await soon(async () => Date.parse((await roundTripAt())!)).toBeGreaterThan(Date.now() - 60_000)
  await monitorConnections(app.ctx)
  expect(await silentSince()).toBeNull()
})

it('deleting a connection removes the device from the phone', async () => {
  expect(double.companions(phone)).toHaveLength(1)
  expect((await app.as('admin')('DELETE', `/whatsapp/${id}?release=true`)).status).toBe(204)
  await soon(() => double.companions(phone)).toEqual([])
})
