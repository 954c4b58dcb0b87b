import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { sql } from 'kysely'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type Anchor,
  anchorEvents,
  anchorHash,
  anchorStream,
  createAnchorReader,
  type Head,
  isSigned,
  rootOver,
  type StoredAnchor,
  signAnchor,
} from '#app/anchor/anchor.ts'
import { findAnchors, publicKeys } from '#app/anchor/check.ts'
import { keepAnchors } from '#app/anchor/keep.ts'
import { anchorAll, anchorCompany, anchorProcessor } from '#app/anchor/make.ts'
import { publishAll } from '#app/anchor/publish.ts'
import { chained, hashOf } from '#app/event-store/chain.ts'
import type { EventStore } from '#app/event-store/event-store.ts'
import { lockIds } from '#app/scheduler/locks.ts'
import { verifyLog } from '#app/verification/verify.ts'
import { streamName } from '#domain/stream.ts'
import { ticketStream } from '#domain/ticket/stream.ts'
import { engines, type Forger, forgedInstallation } from '#tests/support/forger.ts'
import { startTestApp, type TestApp } from '#tests/support/server.ts'

const never = new AbortController().signal

describe.each(engines)('the anchors of an installation on %s', (engine) => {
  let app: TestApp
  let forger: Forger
  let stop: () => Promise<void>
  let company: number
  const ticketIds = new Map<string, number>()
  beforeAll(async () => {
    const made = await forgedInstallation(engine)
    app = made.house
    forger = made.forger
    stop = made.stop
    company = app.company.companies.casa
  })
  afterAll(async () => {
    await forger.rewrite(anchorStream(77), () => []) // its tickets never existed
    await stop()
  })

  const anchor = () => anchorAll(app.ctx, never)
  async function receive(number: string): Promise<number> {
    await app.phone.says(number, 'bom dia')
    await app.settled()
    const { body } = await app.as('admin')('GET', `/tickets?status=search&searchParam=${number}`)
    ticketIds.set(number, body.tickets[0].id)
    return body.tickets[0].id
  }
  async function storedAnchors(companyId = company): Promise<StoredAnchor[]> {
    const read = createAnchorReader()
    return (await app.ctx.eventStore.read(anchorStream(companyId))).events.flatMap((event) => read(event) ?? [])
  }
  async function headNow(ticketId: number): Promise<Head> {
    const last = (await app.ctx.eventStore.read(streamName(ticketStream, company, ticketId))).events.at(-1)!
    return { kind: 'ticket', id: ticketId, revision: Number(last.revision), hash: hashOf(last.meta) }
  }

  it('list the changed heads; they are numbered, signed and chained by hash', async () => {
    expect(await anchor()).toBe(0)
    const first = [await receive('5511955550001'), await receive('5511955550002')]
    await anchor()
    await receive('5511955550001')
    await anchor()
    const [one, two, ...more] = await storedAnchors()
    expect(more).toEqual([])
    expect(one!.anchor).toMatchObject({ company, number: 1, previous: '', heads: 2, key: app.ctx.signingKey.id })
    expect(one!.heads.map(({ id }) => id)).toEqual(first)
    expect(two!.anchor).toMatchObject({ number: 2, previous: anchorHash(one!.anchor), heads: 1 })
    expect(two!.heads).toEqual([await headNow(first[0]!)])
    for (const { anchor: own, heads } of [one!, two!]) {
      expect(own.root).toBe(rootOver(company, heads))
      expect(isSigned(app.ctx.signingKey.publicKey, own)).toBe(true)
      expect(isSigned(app.ctx.signingKey.publicKey, { ...own, at: '2020-01-01T00:00:00.000Z' })).toBe(false)
    }
  })

  it('are made only after a change, or once a day without changes', async () => {
    const before = (await storedAnchors()).length
    expect(await anchor()).toBe(0)
    await app.db
      .updateTable('anchor')
      .set(({ fn, val, ref }) => ({
        statement: fn('jsonb_set', [ref('statement'), val('{at}'), val('"2020-01-01T00:00:00.000Z"')]) as never,
      }))
      .execute()
    expect(await anchor()).toBe(1)
    expect((await storedAnchors()).slice(before)).toMatchObject([{ anchor: { number: before + 1, heads: 0 }, heads: [] }])
    expect(await anchor()).toBe(0)
  })

  it('have one number each if several processes make them, and are found without their row', async () => {
    const before = (await storedAnchors()).length
    const [head, other] = [await headNow(ticketIds.get('5511955550002')!), await headNow(ticketIds.get('5511955550001')!)]
    await Promise.all([[head], [other], [other, head]].map((heads) => anchorCompany(app.ctx, company, heads)))
    const numbers = (await storedAnchors()).map(({ anchor: own }) => own.number)
    expect(numbers).toEqual(Array.from({ length: before + 3 }, (_, i) => i + 1))
    await app.db.deleteFrom('anchor').where('number', '>', 1).execute()
    await anchorCompany(app.ctx, company, [head])
    const all = await storedAnchors()
    expect(all.map(({ anchor: { previous } }) => previous)).toEqual(['', ...all.slice(0, -1).map(({ anchor: own }) => anchorHash(own))])
    const rows = await app.db.selectFrom('anchor').select('number').where('companyId', '=', company).orderBy('number').execute()
    expect(rows.map(({ number }) => number)).toEqual(all.map(({ anchor: own }) => own.number))
  })

  it('can cover any number of changed streams', async () => {
    const heads = Array.from({ length: 1201 }, (_, i) => ({ kind: 'ticket', id: 900_000 + i, revision: i, hash: 'ab'.repeat(32) }))
    await anchorCompany(app.ctx, 77, [...heads].reverse())
    const [own] = await storedAnchors(77)
    expect(own).toMatchObject({ first: 0, revision: 3, anchor: { heads: 1201, root: rootOver(77, heads) } })
    expect(own!.heads).toEqual(heads)
  })

  it('are published to a file and a webhook, each with the anchors that failed before', async () => {
    const got: Anchor[] = []
    let up = false
    const server = createServer((request, response) => {
      let text = ''
      request.on('data', (chunk) => {
        text += chunk
      })
      request.on('end', () => {
        if (up) got.push(JSON.parse(text))
        response.writeHead(up ? 204 : 503).end()
      })
    })
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    const file = path.join(app.ctx.config.dataDir, 'anchors.jsonl')
    const said: string[] = []
    const logger = { error: (_: object, line: string) => said.push(line), warn: (_: object, line: string) => said.push(line) }
    const settings = { anchorFile: file, anchorWebhook: `http://127.0.0.1:${(server.address() as AddressInfo).port}/token` }
    const publish = () => publishAll({ db: app.db, caches: app.ctx.caches, config: settings, logger: logger as never }, never)
    writeFileSync(file, '\n{"company":1,"num') // the disk was full
    await publish()
    await publish()
    up = true
    await publish()
    await publish()
    server.close()
    const all = [...(await storedAnchors()), ...(await storedAnchors(77))].map(({ anchor: own }) => own)
    const lines = readFileSync(file, 'utf8').trim().split('\n')
    const dated = (list: Anchor[]) => list.map(({ company: of, number }) => [of, number])
    expect(dated(lines.map((line) => JSON.parse(line)))).toEqual(dated(all))
    expect(dated(got)).toEqual(dated(all))
    expect(said).toEqual(['Anchor publishing failed; retrying', 'Anchor publishing recovered'])
  })

  it('skip a broken history, which is logged once and counted', async () => {
    const [bad, other] = [await receive('5511955550001'), ticketIds.get('5511955550002')!]
    const stream = streamName(ticketStream, company, bad)
    const undo = await forger.rewrite(stream, (events) => {
      const forged = events.with(1, { ...events[1]!, data: { ...events[1]!.data, forged: true } })
      const anew = chained('', stream, 0n, forged)
      return forged.map((event, i) => ({ ...event, meta: { ...event.meta, hash: anew[i]!.meta.hash! } }))
    })
    const said: object[] = []
    const logger = { error: (fields: object) => said.push(fields) }
    const made = () => anchorAll({ ...app.ctx, logger: logger as never }, never)
    expect(await made()).toBe(0)
    await app.db.deleteFrom('checkpoint').where('name', '=', 'anchors').execute() // forces a check of everything
    expect(await made()).toBe(1)
    expect((await storedAnchors()).at(-1)!.heads.map(({ id }) => id)).toEqual([other])
    expect(said).toEqual([{ companyId: company, ticketId: bad, revision: 1, reason: 'mac' }])
    const metrics = await (await fetch(`${app.url}/metrics`)).text()
    expect(metrics).toMatch(/^guiche_histories_broken\{reason="mac"\} 1$/m)
    await undo()
    await receive('5511955550001')
    expect(await made()).toBe(1)
    expect((await storedAnchors()).at(-1)!.heads).toEqual([await headNow(bad)])
  })

  it('are reported missing if all were removed or made again on a later day', async () => {
    const { eventStore, signingKey, eventMacKeys } = app.ctx
    const late = new Date(Date.now() + 25 * 60 * 60_000).toISOString()
    const anew = anchorEvents(signAnchor(signingKey, company, { number: 0, hash: '' }, [], late), [])
    const undo = await forger.rewrite(anchorStream(company), ([first]) => anew.map((event) => ({ ...first!, ...event })))
    const found = await findAnchors({ eventStore, keys: publicKeys([signingKey]), companyId: company })
    const missed = { stream: anchorStream(company), reason: 'cut', detail: expect.stringMatching(`^the first anchor is of ${late}, and`) }
    expect((await verifyLog(eventStore, [`ticket-${company}-`], eventMacKeys, found)).bad).toMatchObject([missed])
    await undo()
  })
})

it('an anchor is made at a stop and every ten minutes, by one process only', async () => {
  const app = await startTestApp({ roles: ['web', 'projector'] })
  const { contacts, connections, queues, companies } = app.company
  const asked = { contactId: contacts.maria, whatsappId: connections.balcao, queueId: queues.vendas }
  expect((await app.as('bruno')('POST', '/tickets', asked)).status).toBe(200)
  const made = async () => (await app.ctx.eventStore.read(anchorStream(companies.casa))).events.map(({ type }) => type)
  const held = async () => {
    const { rows } = await sql<{
      n: number
    }>`select count(*)::int as n from pg_locks where locktype = 'advisory' and classid = ${lockIds.follower}
      and objid = hashtext('anchors')::oid and granted and database = (select oid from pg_database where datname = current_database())`.execute(
      app.db,
    )
    return rows[0]!.n
  }
  const [one, other] = [new AbortController(), new AbortController()]
  const first = keepAnchors(app.ctx, one.signal)
  await expect.poll(held).toBe(1)
  const second = keepAnchors(app.ctx, other.signal)
  other.abort()
  await second
  expect(await made()).toEqual([])
  one.abort()
  await first
  expect(await made()).toEqual(['HeadsListed', 'AnchorMade'])
  expect(await held()).toBe(0)

  /* Ten minutes later the next one is made without a stop; the time comes from the checkpoint row. */
  const opened = await app.as('bruno')('POST', '/tickets', { ...asked, contactId: contacts.joao })
  expect(opened.status).toBe(200)
  const checkpoint = app.db.updateTable('checkpoint').where('name', '=', anchorProcessor)
  await checkpoint.set({ appliedAt: new Date(Date.now() - 10 * 60_000).toISOString() }).execute()
  const third = new AbortController()
  const again = keepAnchors(app.ctx, third.signal)
  await expect.poll(made).toEqual(['HeadsListed', 'AnchorMade', 'HeadsListed', 'AnchorMade'])
  third.abort()
  await again
  expect(await made()).toHaveLength(4) // nothing changed in between

  /* A stop in the middle is not an error; the anchor is made at the end. */
  expect((await app.as('bruno')('POST', `/messages/${opened.body.id}`, { body: 'Bom dia' })).status).toBe(200)
  await checkpoint.set({ appliedAt: new Date(Date.now() - 10 * 60_000).toISOString() }).execute()
  const fourth = new AbortController()
  const warned: string[] = []
  const logger = pino({ level: 'warn' }, { write: (line: string) => void warned.push(line) })
  const read: EventStore['read'] = (...of) => {
    fourth.abort() // while a changed stream is read
    return app.ctx.eventStore.read(...of)
  }
  await keepAnchors({ ...app.ctx, logger, eventStore: { ...app.ctx.eventStore, read } }, fourth.signal)
  expect(await made()).toHaveLength(6)
  expect(warned).toEqual([])
  await app.stop()
})
