import { appendFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { anchorStream } from '#app/anchor/anchor.ts'
import { anchorAll } from '#app/anchor/make.ts'
import { publishAll } from '#app/anchor/publish.ts'
import { chained } from '#app/event-store/chain.ts'
import type { StoredEvent } from '#app/event-store/event-store.ts'
import { storageKeyOf } from '#app/storage/media.ts'
import { streamName } from '#domain/stream.ts'
import { ticketStream } from '#domain/ticket/stream.ts'
import { command } from '#tests/support/command.ts'
import { engines, type Forger, forgedInstallation } from '#tests/support/forger.ts'
import type { TestApp } from '#tests/support/server.ts'

/* The owner of the database, perhaps with keys, rewrites history. A verification detects it and names the ticket. */
const never = new AbortController().signal
type Meta = StoredEvent['meta']

describe.each(engines)('a history on %s', (engine) => {
  /** Runs a test that does not depend on the engine only once. */
  const onPostgres = (name: string, act: () => Promise<void>) => engine === 'Postgres' && it(name, act)
  let app: TestApp
  let forger: Forger
  let stop: () => Promise<void>
  let ticket: { id: number; uuid: string }
  let stream: string
  let published: string
  let file: string
  beforeAll(async () => {
    ;({ house: app, forger, stop } = await forgedInstallation(engine))
    const { contacts, connections, queues } = app.company
    const asked = { contactId: contacts.maria, whatsappId: connections.balcao, queueId: queues.vendas }
    ticket = (await app.as('bruno')('POST', '/tickets', asked)).body
    stream = streamName(ticketStream, app.company.companies.casa, ticket.id)
    await page() // adds the access event before the anchor
    await anchorAll(app.ctx, never)
    const form = new FormData()
    form.set('body', 'segue o contrato')
    form.set('medias', new Blob(['pago R$ 100'], { type: 'text/plain' }), 'contrato.txt')
    expect((await app.as('bruno')('POST', `/messages/${ticket.id}`, form)).status).toBe(200)
    await app.settled()
    await anchorAll(app.ctx, never)
    published = path.join(app.ctx.config.dataDir, 'published.jsonl')
    await publishAll({ ...app.ctx, config: { anchorFile: published, anchorWebhook: null } }, never)
    const { key } = await app.db.selectFrom('media').select('key').executeTakeFirstOrThrow()
    file = path.join(app.ctx.config.dataDir, 'media', storageKeyOf(app.company.companies.casa, key))
  })
  afterAll(() => stop())

  const env = () => ({
    ...{ DATABASE_URL: app.ctx.connectionString, DATA_DIR: app.ctx.config.dataDir },
    ...{ MASTER_KEY: Buffer.alloc(32, 7).toString('base64'), EVENTSTORE_URL: app.ctx.config.eventstoreUrl ?? '' },
  })
  const page = async () => (await app.as('dulce')('GET', `/ticket-history/${ticket.uuid}`)).body
  const verify = async (...args: string[]) => {
    const { code, err, out } = await command('commands/verify.ts', args, env())
    return { code, out, faults: err.trim().split('\n') }
  }
  /** Verifies in parallel; every result must be good. */
  async function all(...asked: string[][]) {
    const results = await Promise.all(asked.map((args) => verify(...args)))
    for (const one of results) expect(one).toMatchObject({ code: 0, faults: [''] })
    return results
  }
  async function forged(of: string, change: (events: StoredEvent[]) => StoredEvent[], act: () => Promise<void>): Promise<void> {
    const undo = await forger.rewrite(of, change)
    try {
      await act()
    } finally {
      await undo()
    }
  }
  /** Changes the second event and recomputes every hash after it. With `signed`, it recomputes the MACs too. */
  function rechained(events: StoredEvent[], signed: boolean): StoredEvent[] {
    const own = events.map((event) => (event.revision === 1n ? { ...event, data: { ...event.data, forged: true } } : event))
    const bare = ({ meta: { mac: _, macKey: __, hash: ___, ...meta }, ...event }: StoredEvent): StoredEvent => ({ ...event, meta })
    const anew = chained('', stream, 0n, signed ? own.map(bare) : own, signed ? app.ctx.eventMacKeys.current : undefined)
    const meta = (i: number): Meta => (signed ? anew[i]!.meta : { ...own[i]!.meta, hash: anew[i]!.meta.hash! })
    return own.map((event, i) => ({ ...event, meta: meta(i) }))
  }

  it('that is unchanged is valid, and the report shows how far it is anchored', async () => {
    const whole = await verify()
    expect(whole).toMatchObject({ code: 0, faults: [''] })
    expect(whole.out).toMatch(/^anchors: 2, since \S+Z, the newest of \S+Z; 0 events came since and are not anchored yet\.$/m)
    expect(whole.out).toMatch(/^files: 1: each has the bytes that its events name\.$/m)
    const [, , compared] = await all(['--ticket', ticket.uuid], ['--company', '1'], ['--anchors', published])
    expect(compared!.out).toMatch(/^published: 2 anchors of company 1 were compared, up to number 2 of \S+Z\.$/m)
    await app.as('bruno')('POST', `/messages/${ticket.id}`, { body: 'mais uma' })
    await app.settled()
    expect((await verify()).out).toMatch(/; [1-9]\d* events came since and are not anchored yet\.$/m)
    await anchorAll(app.ctx, never)
  })

  const named = () => `BROKEN ${stream} (ticket ${ticket.uuid}) at revision`
  it.each([
    [
      'a flipped byte',
      () => (events: StoredEvent[]) => events.with(1, { ...events[1]!, data: { ...events[1]!.data, userId: 1 } }),
      /: hash$/,
      'hash',
    ],
    ['an event rewritten with its chain', () => (events: StoredEvent[]) => rechained(events, false), /: mac$/, 'mac'],
    [
      'an event rewritten with its chain and the MAC key',
      () => (events: StoredEvent[]) => rechained(events, true),
      /: anchor \(anchor \d+ knows another\)$/,
      'anchor',
    ],
    [
      'its last events removed',
      () => (events: StoredEvent[]) => events.slice(0, 3),
      /: cut \(anchor \d+ knows it up to revision \d+\)$/,
      'cut',
    ],
    ['all events removed', () => () => [], /: removed \(anchor \d+ knows it up to revision \d+\)$/, 'empty'],
  ])('with %s is detected by the whole check, the ticket’s check and the auditor’s page', async (_, change, reason, shown) => {
    await forged(stream, change(), async () => {
      for (const { code, faults } of await Promise.all([verify(), verify('--ticket', ticket.uuid)])) {
        expect(code).toBe(1)
        expect(faults).toEqual([expect.stringMatching(reason)])
        expect(faults[0]!.startsWith(named())).toBe(true)
      }
      expect((await page()).chain).toMatchObject({ holds: false, reason: shown })
    })
    expect(await page()).toMatchObject({ chain: { holds: true }, anchored: { number: 3, revision: expect.any(Number) } })
  })

  it('is checked by the auditor’s page, even if the anchor table omits it or is behind', async () => {
    const { db } = app
    const { id } = ticket
    const row = await db.selectFrom('ticketAnchor').selectAll().where('ticketId', '=', id).executeTakeFirstOrThrow()
    const { revision } = await db.selectFrom('ticketHistory').select('revision').where('id', '=', id).executeTakeFirstOrThrow()
    const put = (to: number) => db.updateTable('ticketHistory').set({ revision: to }).where('id', '=', id).execute()
    await db.deleteFrom('ticketAnchor').where('ticketId', '=', id).execute()
    expect(await page()).toMatchObject({ chain: { holds: true }, anchored: { number: 3 } })
    await forged(
      stream,
      (events) => rechained(events, true),
      async () => expect((await page()).chain).toMatchObject({ holds: false, reason: 'anchor' }),
    )
    await put(2)
    await forged(
      stream,
      (events) => events.slice(0, 3),
      async () => expect((await page()).chain).toEqual({ holds: false, brokenAt: 3, reason: 'cut' }),
    )
    await put(revision)
    await db
      .insertInto('ticketAnchor')
      .values({ ...row, number: 1, revision: 1 })
      .execute()
    expect(await page()).toMatchObject({ chain: { holds: true }, anchored: { number: 3 } })
    await db.updateTable('ticketAnchor').set(row).where('ticketId', '=', id).execute()
  })

  it('with an anchor over other heads is invalid on the auditor’s page, which shows the key', async () => {
    const anchors = anchorStream(app.company.companies.casa)
    const forge = (events: StoredEvent[]) => {
      const at = events.findLastIndex(({ type }) => type === 'HeadsListed')
      const [[id, revision]] = events[at]!.data.heads as [[number, number, string]]
      return events.with(at, { ...events[at]!, data: { ...events[at]!.data, heads: [[id, revision, '0'.repeat(64)]] } })
    }
    await forged(anchors, forge, async () => expect((await page()).chain).toMatchObject({ holds: false, reason: 'anchor' }))
    const { publicKey } = app.ctx.signingKey
    expect((await page()).key).toMatchObject({ publicKey, fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/) })
    const { body } = await app.as('dulce')('GET', '/ticket-history/key')
    expect(body).toMatchObject({ publicKey, newest: { number: 3 } })
  })

  it('with a replaced or missing file is detected, whatever the tables contain', async () => {
    const was = readFileSync(file)
    const row = await app.db.selectFrom('media').selectAll().executeTakeFirstOrThrow()
    const seen = async () => {
      const { files, bad } = (await app.as('dulce')('GET', `/ticket-history/${ticket.uuid}/files`)).body
      const [url] = Object.values((await page()).mediaUrls as Record<string, string>)
      return { files, bad, served: (await fetch(`${app.url}${url}`)).status }
    }
    const bad = { key: path.basename(file), name: 'contrato.txt', revision: expect.any(Number) }
    expect(await seen()).toEqual({ files: 1, bad: [], served: 200 })
    const found = async (reason: string) => {
      const line = `BROKEN ${stream} (ticket ${ticket.uuid}): file (file ${path.basename(file)} ${reason})`
      for (const result of await Promise.all([verify(), verify('--ticket', ticket.uuid)]))
        expect(result).toMatchObject({ code: 1, faults: [line] })
    }
    writeFileSync(file, 'pago R$ 900')
    await app.db.updateTable('media').set({ named: false }).execute()
    await found('has other bytes')
    expect(await seen()).toEqual({ files: 1, bad: [{ ...bad, gone: false }], served: 404 })
    rmSync(file)
    await app.db.deleteFrom('media').execute()
    await found('is not there')
    expect(await seen()).toEqual({ files: 1, bad: [{ ...bad, gone: true }], served: 404 })
    const setStatus = (status: 'open' | 'deleted') =>
      app.db.updateTable('ticketHistory').where('id', '=', ticket.id).set({ status }).execute()
    await setStatus('deleted')
    expect(await seen()).toEqual({ files: 1, bad: [{ ...bad, gone: true }], served: 404 })
    await setStatus('open')
    writeFileSync(file, was)
    await app.db.insertInto('media').values(row).execute()
    expect((await verify()).code).toBe(0)
  })

  it('with a changed, replaced or missing anchor is detected', async () => {
    const anchors = anchorStream(app.company.companies.casa)
    const later = (events: StoredEvent[], type: string, data: object) => {
      const at = events.findLastIndex((event) => event.type === type)
      return events.with(at, { ...events[at]!, data: { ...events[at]!.data, ...data } })
    }
    const all: [(events: StoredEvent[]) => StoredEvent[], RegExp][] = [
      [
        (events) => later(events, 'AnchorMade', { at: '2020-01-01T00:00:00.000Z' }),
        /: signature \(anchor 3 is not signed by this installation\)$/,
      ],
      [(events) => later(events, 'HeadsListed', { heads: [] }), /: root \(anchor 3 was made over other heads\)$/],
      [(events) => events.slice(0, -2), /: cut \(anchor 3 is not there any more\)$/],
      [(events) => [...events.slice(0, 2), ...events.slice(4).map((event) => ({ ...event, revision: event.revision - 2n }))], /: gap/],
    ]
    for (const [change, reason] of all)
      await forged(anchors, change, async () => {
        const { code, faults } = await verify()
        expect(code).toBe(1)
        expect(faults[0]).toMatch(reason)
        expect(faults[0]!.startsWith(`BROKEN ${anchors}`)).toBe(true)
      })
  })

  onPostgres('fails the check without the anchors’ public key, unless the key is given', async () => {
    const { db, ctx: open } = app
    const rows = await db.selectFrom('signingKey').selectAll().execute()
    await db.deleteFrom('signingKey').execute()
    const [bare, ofTicket, known] = await Promise.all([
      verify('--anchors', published),
      verify('--ticket', ticket.uuid),
      verify('--key', open.signingKey.publicKey),
    ])
    const stream = anchorStream(app.company.companies.casa)
    for (const result of [bare, ofTicket])
      expect(result).toMatchObject({ code: 1, faults: [expect.stringMatching(`^BROKEN ${stream} .*: no key is there to check it by`)] })
    expect(known).toMatchObject({ code: 0, faults: [''] })
    await db.insertInto('signingKey').values(rows).execute()
    const other = await verify('--key', 'A'.repeat(43))
    expect(other).toMatchObject({
      code: 1,
      faults: [expect.stringMatching(/: signature \(anchor 1 is not signed by this installation\)$/)],
    })
  })

  onPostgres('is compared with the published anchors, and an empty comparison fails', async () => {
    const lines = readFileSync(published, 'utf8').trim().split('\n')
    const written = (name: string, text: string) => {
      const at = path.join(app.ctx.config.dataDir, name)
      writeFileSync(at, text)
      return at
    }
    const [empty, others, first] = await Promise.all([
      verify('--anchors', written('empty.jsonl', '')),
      verify('--anchors', written('others.jsonl', JSON.stringify({ ...JSON.parse(lines[0]!), company: 77 })), '--company', '1'),
      verify('--anchors', written('first.jsonl', lines[0]!)),
    ])
    expect(empty).toMatchObject({ code: 2, faults: [expect.stringMatching(/empty\.jsonl holds no anchors$/)] })
    expect(others).toMatchObject({ code: 1, faults: ['published: not one anchor of company 1, which has 3: nothing was compared.'] })
    expect(first.code).toBe(0)
    expect(first.out).toMatch(
      /^published: 1 anchors of company 1 were compared, up to number 1 of \S+Z\. 2 made since are not among them\.$/m,
    )
  })

  it('that was rewritten in the event store and in all tables is detected by a published anchor', async () => {
    const { db } = app
    const rows = await db.selectFrom('anchor').selectAll().where('number', '>', 1).execute()
    await forged(
      anchorStream(app.company.companies.casa),
      (events) => events.slice(0, 2),
      () =>
        forged(
          stream,
          (events) => events.slice(0, 3),
          async () => {
            await db.deleteFrom('anchor').where('number', '>', 1).execute()
            expect((await verify()).code).toBe(0) // nothing inside the installation knows better
            const { code, faults } = await verify('--anchors', published)
            expect({ code, faults }).toEqual({
              code: 1,
              faults: ['BROKEN anchor-1: published (anchor 2 was published and is not in the log)'],
            })
          },
        ),
    )
    for (const { statement, ...row } of rows)
      await db
        .insertInto('anchor')
        .values({ ...row, statement: JSON.stringify(statement) })
        .execute()
    appendFileSync(published, `${JSON.stringify({ ...rows[0]!.statement, signature: 'AAAA' })}\n`)
    expect((await verify('--anchors', published)).faults).toEqual([
      'BROKEN anchor-1: published (anchor 2 as it was published is not signed by this installation)',
    ])
    writeFileSync(published, 'no anchors')
    expect(await verify('--anchors', published)).toMatchObject({ code: 2, faults: [`${published} holds no anchors`] })
    expect(await verify('--anchors', '/nowhere/a.jsonl')).toMatchObject({ code: 2, faults: ['/nowhere/a.jsonl cannot be read: ENOENT'] })
  })
})
