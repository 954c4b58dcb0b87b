import { sql } from 'kysely'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Channel, type Identity, type InboundEvent, TransientChannelError } from '#app/channels/channel.ts'
import { runLeaseCoordinator } from '#app/channels/leases.ts'
import { Unavailable } from '#app/event-store/event-store.ts'
import { isTransient } from '#app/event-store/transient-errors.ts'
import { recordInbound } from '#app/inbound/inbound-journal.ts'
import { processInbound } from '#app/inbound/inbound-processor.ts'
import type { StoredFile } from '#app/storage/media.ts'
import type { ExecuteTicketCommand } from '#app/ticket/ticket-repository.ts'
import { Refusal } from '#domain/errors.ts'
import { startTestApp, type TestApp } from '#tests/support/server.ts'
import { eventually } from '#tests/support/wait.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ roles: ['web', 'projector'] })
})
afterAll(async () => {
  await app?.db.updateTable('inboundEvent').set({ doneAt: new Date().toISOString() }).execute()
  await app?.stop({ faultsExpected: true })
})

/** Processes one inbound event that failed often before, with a repository that throws the error. Returns the journal row. */
async function processWithError(externalId: string, error: Error) {
  const { companies, connections } = app.company
  const who = { companyId: companies.casa, connectionId: connections.balcao, conversation: '5511955550000' }
  const said = { kind: 'chat' as const, body: 'do not lose me', media: null, vCard: null, quotedExternalId: null, at: '' }
  await recordInbound(app.db, [
    {
      ...who,
      externalId,
      payload: { type: 'message', externalId, from: [{ kind: 'phone' as const, id: who.conversation }], name: 'Bia', group: null, ...said },
    },
  ])
  await app.db.updateTable('inboundEvent').set({ failures: 20 }).where('externalId', '=', externalId).execute()
  let asked = 0
  const execute: ExecuteTicketCommand = async () => {
    asked++
    throw error
  }
  const over = new AbortController()
  const ended = runLeaseCoordinator([processInbound], { ...app.ctx, execute }, over.signal)
  const look = () =>
    app.db
      .selectFrom('inboundEvent')
      .select(['doneAt', 'refused', 'payload'])
      .where('externalId', '=', externalId)
      .executeTakeFirstOrThrow()
  await eventually(
    async () => asked,
    (n) => n > 0,
  )
  await new Promise((resolve) => setTimeout(resolve, 100))
  const row = await look()
  over.abort()
  await ended
  return row
}

it('an inbound event is never given up while a store is unavailable', async () => {
  const row = await processWithError('away', new Unavailable('reading ticket-1-1 took more than 5000 ms'))
  expect(row).toMatchObject({ doneAt: null, refused: null, payload: { body: 'do not lose me' } })
  await app.db.updateTable('inboundEvent').set({ doneAt: new Date().toISOString() }).where('externalId', '=', 'away').execute()
})

it('a dead letter keeps its content', async () => {
  const row = await processWithError('large', new Refusal('ERR_TOO_LARGE'))
  expect(row).toMatchObject({ refused: 'ERR_TOO_LARGE', payload: { body: 'do not lose me' } })
  expect(row.doneAt).not.toBeNull()
})

it('an event from an unknown kind of address becomes a dead letter as a whole', async () => {
  const { companies, connections } = app.company
  const said = { name: 'Bia', group: null, kind: 'chat' as const, body: 'do not lose me', media: null, vCard: null, quotedExternalId: null }
  const payload: InboundEvent = { type: 'message', externalId: 'nowhere', from: [], ...said, at: new Date().toISOString() }
  const entry = { companyId: companies.casa, connectionId: connections.balcao, externalId: 'nowhere', conversation: 'nowhere', payload }
  await recordInbound(app.db, [entry])
  const over = new AbortController()
  const ended = runLeaseCoordinator([processInbound], app.ctx, over.signal)
  const row = await eventually(
    () => app.db.selectFrom('inboundEvent').select(['doneAt', 'refused', 'payload']).where('externalId', '=', 'nowhere').executeTakeFirst(),
    (found) => found!.doneAt !== null,
  )
  over.abort()
  await ended
  expect(row).toMatchObject({ refused: 'ERR_WAPP_INVALID_CONTACT', payload: { body: 'do not lose me' } })
})

it('an unavailable store is a transient error', () => {
  expect(isTransient(new Unavailable('reading ticket-1-1 took more than 5000 ms'))).toBe(true)
  expect(isTransient(new Refusal('ERR_BUSY'))).toBe(true)
  expect(isTransient(new Refusal('ERR_NO_TICKET_FOUND'))).toBe(false)
  expect(isTransient(new Error('thirteen'))).toBe(false)
})

/** Processes a file after this many failures, with a channel that gives these answers. Returns the outcome. */
async function processFile(externalId: string, failures: number, answers: (() => StoredFile | null)[], clock = app.ctx.clock) {
  const { companies, connections } = app.company
  const from = [{ kind: 'phone' as const, id: `55119777${60_000 + ++files}` }]
  const said = { kind: 'image' as const, body: externalId, media: null, vCard: null, quotedExternalId: null, apart: true as const }
  const payload: InboundEvent = { type: 'message', externalId, from, name: 'Bia', group: null, ...said, at: new Date().toISOString() }
  const entry = { companyId: companies.casa, connectionId: connections.balcao, externalId, conversation: from[0]!.id, payload }
  await recordInbound(app.db, [entry])
  await app.db.updateTable('inboundEvent').set({ failures }).where('externalId', '=', externalId).execute()
  const fetch = async () => (answers.shift() ?? (() => null))()
  const channel = { fetch } as unknown as Channel
  const over = new AbortController()
  const ended = runLeaseCoordinator([processInbound], { ...app.ctx, clock, channel: () => channel }, over.signal)
  const row = await eventually(
    () =>
      app.db.selectFrom('inboundEvent').select(['doneAt', 'refused', 'failures']).where('externalId', '=', externalId).executeTakeFirst(),
    (found) => found!.doneAt !== null,
  )
  over.abort()
  await ended
  const message = () => app.db.selectFrom('message').select(['body', 'media']).where('body', '=', externalId).executeTakeFirst()
  return { ...row!, message: await eventually(message, (found) => found !== undefined) }
}
let files = 0
const media = { key: 'a'.repeat(64), mime: 'image/png', name: 'file.png', size: 4, width: 1, height: 1, seconds: null }
const there = () => ({ kind: 'image' as const, media, hold: crypto.randomUUID() })
const fails = (error: Error) => () => {
  throw error
}

it('an event waits for its file while the disk is full, however often that failed', async () => {
  const full = ['ENOSPC', 'EDQUOT'].map((code) => Object.assign(new Error('no space left on device, write'), { code }))
  const outcome = await processFile('a scan', 20, [...full.map(fails), there])
  expect(outcome).toMatchObject({ refused: null, failures: 20, message: { media: { key: media.key } } })
})

it('an event waits for its file while the channel or a store is unavailable', async () => {
  const away = [new TransientChannelError('ERR_WAPP_NOT_INITIALIZED'), new Unavailable('S3 gave no answer in time')]
  const outcome = await processFile('a photo', 20, [...away.map(fails), there])
  expect(outcome).toMatchObject({ refused: null, failures: 20, message: { media: { key: media.key } } })
})

const photo = { kind: 'image' as const, apart: true as const }
const phone = (id: string): Identity => ({ kind: 'phone', id })
const lid = (id: string): Identity => ({ kind: 'lid', id })
let eventCount = 0
/** Records an inbound message of this person. */
async function record(body: string, from: Identity[], more: object = {}) {
  const externalId = `thing-${++eventCount}`
  const content = { kind: 'chat' as const, media: null, vCard: null, quotedExternalId: null, at: new Date().toISOString() }
  const payload: InboundEvent = { type: 'message', externalId, from, name: 'Eva', group: null, body, ...content, ...more }
  const at = { companyId: app.company.companies.casa, connectionId: app.company.connections.balcao }
  await recordInbound(app.db, [{ ...at, externalId, conversation: payload.group?.id ?? from[0]!.id, payload: payload }])
  app.ctx.wakeWorker(at.connectionId)
}

it('events of a person keep their order under all their ids while a file is downloaded', async () => {
  const order = async () =>
    (await app.db.selectFrom('message').select('body').where('body', 'like', 'turn %').orderBy('id').execute()).map(({ body }) => body)
  const gate = Promise.withResolvers<StoredFile | null>()
  const channel = { fetch: () => gate.promise } as unknown as Channel
  const over = new AbortController()
  const ended = runLeaseCoordinator([processInbound], { ...app.ctx, channel: () => channel }, over.signal)
  await record('turn 0', [phone('5511966660002'), lid('77002')]) // a person known by both ids
  await eventually(order, (all) => all.length === 1)
  await record('turn 1', [lid('77001')], photo)
  await record('turn 2', [phone('5511966660001'), lid('77001')])
  await record('turn 3', [lid('77002')], photo)
  await record('turn 4', [phone('5511966660002')])
  await record('turn of another', [phone('5511966660003')])
  await eventually(order, (all) => all.includes('turn of another'))
  gate.resolve(null)
  const all = await eventually(order, ({ length }) => length === 6)
  over.abort()
  await ended
  expect(all.slice(0, 2)).toEqual(['turn 0', 'turn of another'])
  for (const [first, then] of [
    ['turn 1', 'turn 2'],
    ['turn 3', 'turn 4'],
  ])
    expect(all.indexOf(first!)).toBeLessThan(all.indexOf(then!))
})

it('processing continues after an interrupted read, while a file is downloaded', async () => {
  const shown = async (body: string) => (await app.db.selectFrom('message').select('id').where('body', '=', body).execute()).length
  const gate = Promise.withResolvers<StoredFile | null>()
  const asked = Promise.withResolvers<void>()
  const fetch = () => {
    asked.resolve()
    return gate.promise
  }
  const missed = Promise.withResolvers<void>()
  const write = (line: string) => (line.includes('Inbound processing failed') ? missed.resolve() : undefined)
  const over = new AbortController()
  const deps = { ...app.ctx, channel: () => ({ fetch }) as unknown as Channel, logger: pino({ level: 'debug' }, { write }) }
  const ended = runLeaseCoordinator([processInbound], deps, over.signal)
  await record('look at this', [phone('5511966660020')], photo)
  await asked.promise
  const rename = (from: string, to: string) => sql`alter table ${sql.table(from)} rename to ${sql.table(to)}`.execute(app.db)
  await rename('contact_identity', 'contact_identity_away')
  await record('look here', [phone('5511966660021')])
  await missed.promise
  await rename('contact_identity_away', 'contact_identity')
  await eventually(
    () => shown('look here'),
    (n) => n === 1,
  )
  expect(await shown('look at this')).toBe(0)
  gate.resolve(null)
  await eventually(
    () => shown('look at this'),
    (n) => n === 1,
  )
  over.abort()
  await ended
})

it('files of blocked contacts and ignored groups are not downloaded, and create no contact', async () => {
  const { connections } = app.company
  const allow = (allowGroup: boolean) => app.db.updateTable('connection').set({ allowGroup }).where('id', '=', connections.balcao).execute()
  await allow(false)
  const asked: string[] = []
  const fetch = async (_: unknown, id: string) => {
    asked.push(id)
    return null
  }
  const over = new AbortController()
  const ended = runLeaseCoordinator([processInbound], { ...app.ctx, channel: () => ({ fetch }) as unknown as Channel }, over.signal)
  const shown = async () => (await app.db.selectFrom('message').select('body').where('body', 'like', 'heard %').execute()).length
  await record('heard before', [phone('5511966660010')])
  await eventually(shown, (n) => n === 1)
  await app.db.updateTable('contact').set({ active: false }).where('number', '=', '5511966660010').execute()
  await record('a photo of the blocked', [phone('5511966660010'), lid('77010')], photo)
  await record('a photo in a group', [phone('5511966660011')], { ...photo, group: { id: '120363077', name: 'Turma' } })
  await record('heard with its photo', [phone('5511966660012')], photo)
  const left = () => app.db.selectFrom('inboundEvent').select('externalId').where('doneAt', 'is', null).execute()
  await eventually(left, ({ length }) => length === 0)
  over.abort()
  await ended
  await allow(true)
  expect(asked).toEqual([`thing-${eventCount}`])
  expect(await app.db.selectFrom('contact').select('id').where('number', '=', '120363077').execute()).toEqual([])
})

/** Records a receipt for one of our messages. */
async function recordReceipt(externalId: string, number: string) {
  const at = { companyId: app.company.companies.casa, connectionId: app.company.connections.balcao }
  const payload: InboundEvent = { type: 'receipt', externalIds: [externalId], mark: 'read', to: [phone(number)] }
  await recordInbound(app.db, [{ ...at, externalId: `${externalId}:read`, conversation: number, payload: payload }])
  app.ctx.wakeWorker(at.connectionId)
}

it('a receipt is applied to an external message that has no outbox row yet', async () => {
  const over = new AbortController()
  const ended = runLeaseCoordinator([processInbound], app.ctx, over.signal)
  await record('typed there', [phone('5511966660030')], { fromMe: true })
  await recordReceipt(`thing-${eventCount}`, '5511966660030')
  const message = () => app.db.selectFrom('message').select('ack').where('body', '=', 'typed there').executeTakeFirst()
  await eventually(message, (row) => row?.ack === 3)
  over.abort()
  await ended
})

it('a receipt that may belong to a message in the outbox delays nobody', async () => {
  const { companies, connections } = app.company
  const over = new AbortController()
  const ended = runLeaseCoordinator([processInbound], app.ctx, over.signal)
  await record('said before', [phone('5511966660031')])
  const contact = () => app.db.selectFrom('contact').select('id').where('number', '=', '5511966660031').executeTakeFirst()
  const { id: contactId } = (await eventually(contact, (row) => row !== undefined))!
  const row = { messageId: 990_001, ticketId: 990_001, revision: 0, externalId: 'on-its-way', contactId, attempts: 1 }
  const waits = { companyId: companies.casa, connectionId: connections.balcao, ...row }
  await app.db.insertInto('outbox').values(waits).execute()
  await recordReceipt('the rest of something', '5511966660031')
  await record('said behind a mark', [phone('5511966660031')])
  await eventually(
    () => app.db.selectFrom('message').select('id').where('body', '=', 'said behind a mark').execute(),
    ({ length }) => length === 1,
  )
  const mark = app.db.selectFrom('inboundEvent').select('doneAt').where('externalId', '=', 'the rest of something:read')
  expect(await mark.executeTakeFirst()).toEqual({ doneAt: null })
  await app.db.deleteFrom('outbox').where('messageId', '=', row.messageId).execute()
  over.abort()
  await ended
})

it('a message is processed without its file after repeated failures', async () => {
  const outcome = await processFile('a broken photo', 7, [fails(new Error('bad decrypt')), fails(new Error('bad decrypt'))])
  expect(outcome).toMatchObject({ refused: null, failures: 8, message: { media: null } })
})

it('a message is processed without its file if the channel is unreachable for minutes', async () => {
  let passed = 0
  const clock = { ...app.ctx.clock, now: () => (passed += 2 * 60_000) }
  const away = fails(new TransientChannelError('ERR_CHANNEL_AWAY'))
  expect(await processFile('a lost photo', 0, [away, away, there], clock)).toMatchObject({ refused: null, message: { media: null } })

  const lineAway = fails(new TransientChannelError('ERR_WAPP_NOT_INITIALIZED')) // an offline connection delays everything, so the file alone is not given up
  const kept = await processFile('a photo of an outage', 0, [away, lineAway, lineAway, lineAway, there], clock)
  expect(kept).toMatchObject({ refused: null, message: { media: { key: media.key } } })
})
