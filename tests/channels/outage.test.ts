import { sql } from 'kysely'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Channel, type Identity, type InboundEvent, TransientChannelError } from '#app/channels/channel.ts'
import { runLeaseCoordinator } from '#app/channels/leases.ts'
import { Unavailable } from '#app/event-store/event-store.ts'
import { isTransient } from '#app/event-store/transient-errors.ts'
import { recordInbound, wakeWorker } from '#app/inbound/inbound-journal.ts'
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

/** Hears one entry that failed often before, with a log that answers so; gives what the journal says of it then. */
async function heardWith(externalId: string, error: Error) {
  const { companies, connections } = app.company
  const who = { companyId: companies.casa, connectionId: connections.balcao, conversation: '5511955550000' }
  const said = { kind: 'chat' as const, body: 'do not lose me', media: null, vCard: null, quotedExternalId: null, at: '' }
  await recordInbound(app.db, [
    {
      ...who,
      externalId,
      heard: { type: 'message', externalId, from: [{ kind: 'phone' as const, id: who.conversation }], name: 'Bia', group: null, ...said },
    },
  ])
  await app.db.updateTable('inboundEvent').set({ failures: 20 }).where('externalId', '=', externalId).execute()
  let asked = 0
  const ask: ExecuteTicketCommand = async () => {
    asked++
    throw error
  }
  const over = new AbortController()
  const ended = runLeaseCoordinator([processInbound], { ...app.ctx, ask }, over.signal)
  const look = () =>
    app.db.selectFrom('inboundEvent').select(['doneAt', 'refused', 'heard']).where('externalId', '=', externalId).executeTakeFirstOrThrow()
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

it('never gives up what was confirmed to a provider because a store is away for long', async () => {
  const row = await heardWith('away', new Unavailable('reading ticket-1-1 took more than 5000 ms'))
  expect(row).toMatchObject({ doneAt: null, refused: null, heard: { body: 'do not lose me' } })
  await app.db.updateTable('inboundEvent').set({ doneAt: new Date().toISOString() }).where('externalId', '=', 'away').execute()
})

it('keeps the words of what it sets aside', async () => {
  const row = await heardWith('large', new Refusal('ERR_TOO_LARGE'))
  expect(row).toMatchObject({ refused: 'ERR_TOO_LARGE', heard: { body: 'do not lose me' } })
  expect(row.doneAt).not.toBeNull()
})

it('sets aside whole what comes from an address of no kind that we know', async () => {
  const { companies, connections } = app.company
  const said = { name: 'Bia', group: null, kind: 'chat' as const, body: 'do not lose me', media: null, vCard: null, quotedExternalId: null }
  const heard: InboundEvent = { type: 'message', externalId: 'nowhere', from: [], ...said, at: new Date().toISOString() }
  const entry = { companyId: companies.casa, connectionId: connections.balcao, externalId: 'nowhere', conversation: 'nowhere', heard }
  await recordInbound(app.db, [entry])
  const over = new AbortController()
  const ended = runLeaseCoordinator([processInbound], app.ctx, over.signal)
  const row = await eventually(
    () => app.db.selectFrom('inboundEvent').select(['doneAt', 'refused', 'heard']).where('externalId', '=', 'nowhere').executeTakeFirst(),
    (found) => found!.doneAt !== null,
  )
  over.abort()
  await ended
  expect(row).toMatchObject({ refused: 'ERR_WAPP_INVALID_CONTACT', heard: { body: 'do not lose me' } })
})

it('takes no store that is away for a poisoned event', () => {
  expect(isTransient(new Unavailable('reading ticket-1-1 took more than 5000 ms'))).toBe(true)
  expect(isTransient(new Refusal('ERR_BUSY'))).toBe(true)
  expect(isTransient(new Refusal('ERR_NO_TICKET_FOUND'))).toBe(false)
  expect(isTransient(new Error('thirteen'))).toBe(false)
})

/** Hears a file that was asked for so often in vain, of a channel that answers so, one answer a time; gives what became of it. */
async function fileHeard(externalId: string, failures: number, answers: (() => StoredFile | null)[], clock = app.ctx.clock) {
  const { companies, connections } = app.company
  const from = [{ kind: 'phone' as const, id: `55119777${60_000 + ++files}` }]
  const said = { kind: 'image' as const, body: externalId, media: null, vCard: null, quotedExternalId: null, apart: true as const }
  const heard: InboundEvent = { type: 'message', externalId, from, name: 'Bia', group: null, ...said, at: new Date().toISOString() }
  const entry = { companyId: companies.casa, connectionId: connections.balcao, externalId, conversation: from[0]!.id, heard }
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

it('waits for a file where its channel or a store is away, and has it then', async () => {
  const away = [new TransientChannelError('ERR_WAPP_NOT_INITIALIZED'), new Unavailable('S3 gave no answer in time')]
  const heard = await fileHeard('a photo', 20, [...away.map(fails), there])
  expect(heard).toMatchObject({ refused: null, failures: 20, message: { media: { key: media.key } } })
})

const photo = { kind: 'image' as const, apart: true as const }
const phone = (id: string): Identity => ({ kind: 'phone', id })
const lid = (id: string): Identity => ({ kind: 'lid', id })
let things = 0
/** Somebody says it to whoever hears. */
async function says(body: string, from: Identity[], more: object = {}) {
  const externalId = `thing-${++things}`
  const content = { kind: 'chat' as const, media: null, vCard: null, quotedExternalId: null, at: new Date().toISOString() }
  const heard: InboundEvent = { type: 'message', externalId, from, name: 'Eva', group: null, body, ...content, ...more }
  const at = { companyId: app.company.companies.casa, connectionId: app.company.connections.balcao }
  await recordInbound(app.db, [{ ...at, externalId, conversation: heard.group?.id ?? from[0]!.id, heard }])
  wakeWorker(app.db, at.connectionId)
}

it('hears a person in their order by whichever id each thing is told, while a file is waited for', async () => {
  const order = async () =>
    (await app.db.selectFrom('message').select('body').where('body', 'like', 'turn %').orderBy('id').execute()).map(({ body }) => body)
  const gate = Promise.withResolvers<StoredFile | null>()
  const channel = { fetch: () => gate.promise } as unknown as Channel
  const over = new AbortController()
  const ended = runLeaseCoordinator([processInbound], { ...app.ctx, channel: () => channel }, over.signal)
  await says('turn 0', [phone('5511966660002'), lid('77002')]) // who is known by both
  await eventually(order, (all) => all.length === 1)
  await says('turn 1', [lid('77001')], photo)
  await says('turn 2', [phone('5511966660001'), lid('77001')])
  await says('turn 3', [lid('77002')], photo)
  await says('turn 4', [phone('5511966660002')])
  await says('turn of another', [phone('5511966660003')])
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

it('hears on once it can look again, while a file is waited for', async () => {
  const shown = async (body: string) => (await app.db.selectFrom('message').select('id').where('body', '=', body).execute()).length
  const gate = Promise.withResolvers<StoredFile | null>()
  const asked = Promise.withResolvers<void>()
  const fetch = () => {
    asked.resolve()
    return gate.promise
  }
  const missed = Promise.withResolvers<void>()
  const write = (line: string) => (line.includes('hearing was interrupted') ? missed.resolve() : undefined)
  const over = new AbortController()
  const deps = { ...app.ctx, channel: () => ({ fetch }) as unknown as Channel, logger: pino({ level: 'debug' }, { write }) }
  const ended = runLeaseCoordinator([processInbound], deps, over.signal)
  await says('look at this', [phone('5511966660020')], photo)
  await asked.promise
  const rename = (from: string, to: string) => sql`alter table ${sql.table(from)} rename to ${sql.table(to)}`.execute(app.db)
  await rename('contact_identity', 'contact_identity_away')
  await says('look here', [phone('5511966660021')])
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

it('fetches no file of who is blocked, or of a group where none are heard, and makes no contact of that', async () => {
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
  await says('heard before', [phone('5511966660010')])
  await eventually(shown, (n) => n === 1)
  await app.db.updateTable('contact').set({ active: false }).where('number', '=', '5511966660010').execute()
  await says('a photo of the blocked', [phone('5511966660010'), lid('77010')], photo)
  await says('a photo in a group', [phone('5511966660011')], { ...photo, group: { id: '120363077', name: 'Turma' } })
  await says('heard with its photo', [phone('5511966660012')], photo)
  const left = () => app.db.selectFrom('inboundEvent').select('externalId').where('doneAt', 'is', null).execute()
  await eventually(left, ({ length }) => length === 0)
  over.abort()
  await ended
  await allow(true)
  expect(asked).toEqual([`thing-${things}`])
  expect(await app.db.selectFrom('contact').select('id').where('number', '=', '120363077').execute()).toEqual([])
})

/** A mark of one of ours, told of somebody. */
async function marks(externalId: string, number: string) {
  const at = { companyId: app.company.companies.casa, connectionId: app.company.connections.balcao }
  const heard: InboundEvent = { type: 'mark', externalIds: [externalId], mark: 'read', to: [phone(number)] }
  await recordInbound(app.db, [{ ...at, externalId: `${externalId}:read`, conversation: number, heard }])
  wakeWorker(app.db, at.connectionId)
}

it('marks what was typed on the company’s own phone before that has a row in the outbox', async () => {
  const over = new AbortController()
  const ended = runLeaseCoordinator([processInbound], app.ctx, over.signal)
  await says('typed there', [phone('5511966660030')], { fromMe: true })
  await marks(`thing-${things}`, '5511966660030')
  const message = () => app.db.selectFrom('message').select('ack').where('body', '=', 'typed there').executeTakeFirst()
  await eventually(message, (row) => row?.ack === 3)
  over.abort()
  await ended
})

it('holds nobody for a mark that may be of what is on its way', async () => {
  const { companies, connections } = app.company
  const over = new AbortController()
  const ended = runLeaseCoordinator([processInbound], app.ctx, over.signal)
  await says('said before', [phone('5511966660031')])
  const contact = () => app.db.selectFrom('contact').select('id').where('number', '=', '5511966660031').executeTakeFirst()
  const { id: contactId } = (await eventually(contact, (row) => row !== undefined))!
  const row = { messageId: 990_001, ticketId: 990_001, revision: 0, externalId: 'on-its-way', contactId, attempts: 1 }
  const waits = { companyId: companies.casa, connectionId: connections.balcao, ...row }
  await app.db.insertInto('outbox').values(waits).execute()
  await marks('the rest of something', '5511966660031')
  await says('said behind a mark', [phone('5511966660031')])
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

it('takes what was said without its file where that failed again and again', async () => {
  const heard = await fileHeard('a broken photo', 7, [fails(new Error('bad decrypt')), fails(new Error('bad decrypt'))])
  expect(heard).toMatchObject({ refused: null, failures: 8, message: { media: null } })
})

it('takes what was said without its file where nobody was there to be asked for minutes', async () => {
  let passed = 0
  const clock = { ...app.ctx.clock, now: () => (passed += 2 * 60_000) }
  const away = fails(new TransientChannelError('ERR_CHANNEL_AWAY'))
  expect(await fileHeard('a lost photo', 0, [away, away, there], clock)).toMatchObject({ refused: null, message: { media: null } })

  const lineAway = fails(new TransientChannelError('ERR_WAPP_NOT_INITIALIZED')) // then it is not its file that holds them
  const kept = await fileHeard('a photo of an outage', 0, [away, lineAway, lineAway, lineAway, there], clock)
  expect(kept).toMatchObject({ refused: null, message: { media: { key: media.key } } })
})
