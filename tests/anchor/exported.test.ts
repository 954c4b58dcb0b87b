import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { signAnchor } from '#app/anchor/anchor.ts'
import { anchorAll } from '#app/anchor/make.ts'
import { type SigningKey, signingKey } from '#app/anchor/signing-key.ts'
import { chained, hashOf } from '#app/event-store/chain.ts'
import type { JsonObject } from '#app/event-store/event-store.ts'
import { signedBy, type TicketHistory, verifyExport } from '#app/history/exported.ts'
import { streamName } from '#domain/stream.ts'
import { ticketStream } from '#domain/ticket/stream.ts'
import { migrate } from '#projections/migrate.ts'
import { openStore } from '#projections/postgres.ts'
import { command } from '#tests/support/command.ts'
import { freshDatabase } from '#tests/support/postgres.ts'
import { startTestApp, type TestApp } from '#tests/support/server.ts'

/* A reader who has only an exported file can verify it without the app. */
let app: TestApp
let ticket: { id: number; uuid: string }
let file: TicketHistory
let place: string
beforeAll(async () => {
  place = mkdtempSync(path.join(tmpdir(), 'guiche-export-'))
  app = await startTestApp()
  const { contacts, connections, queues } = app.company
  const asked = { contactId: contacts.maria, whatsappId: connections.balcao, queueId: queues.vendas }
  ticket = (await app.as('bruno')('POST', '/tickets', asked)).body
  for (const body of ['aceito o preço de R$ 100', 'e a entrega amanhã'])
    expect((await app.as('bruno')('POST', `/messages/${ticket.id}`, { body })).status).toBe(200)
  await app.settled()
  await anchorAll(app.ctx, new AbortController().signal)
  file = await exported()
})
afterAll(async () => {
  await app?.stop({ faultsExpected: true })
  rmSync(place, { recursive: true, force: true })
})

const exported = async (who: 'admin' | 'dulce' = 'admin'): Promise<TicketHistory> =>
  (await app.as(who)('GET', `/ticket-history/${ticket.uuid}/export`)).body
const edited = (change: (copy: TicketHistory) => void): TicketHistory => {
  const copy = structuredClone(file)
  change(copy)
  return copy
}
const found = async (history: TicketHistory, key?: string) => {
  const { bad } = await verifyExport(JSON.stringify(history), key)
  return bad.map(({ revision, reason }) => [reason, revision === null ? null : Number(revision)])
}
const firstMessageIndex = (history: TicketHistory) => history.events.findIndex(({ type }) => type === 'MessageSent')
const messageText = (history: TicketHistory) => history.events[firstMessageIndex(history)]!.plain as JsonObject

it('verifies without a key, up to its anchor, and reports the events after it', async () => {
  const { publicKey } = app.ctx.signingKey
  const verdict = await verifyExport(JSON.stringify(file), publicKey)
  expect(verdict).toMatchObject({ bad: [], publicKey, anchor: { number: 1 } })
  expect(verdict.anchor!.behind).toBeGreaterThan(0) // at least the event that the export itself adds
  expect(verdict.anchor!.revision + verdict.anchor!.behind).toBe(file.events.length - 1)
  expect(messageText(file).body).toBe('aceito o preço de R$ 100')
})

it('is verified by a command that uses no store', async () => {
  const at = path.join(place, 'history.json')
  const verify = async (history: TicketHistory, ...args: string[]) => {
    writeFileSync(at, JSON.stringify(history, null, 2))
    return command('commands/verify.ts', [at, ...args], { DATA_DIR: path.join(place, 'nowhere') })
  }
  const { publicKey } = app.ctx.signingKey
  const whole = await verify(file, '--key', publicKey)
  expect(whole).toMatchObject({ code: 0, err: '' })
  const print = createHash('sha256').update(Buffer.from(publicKey, 'base64url')).digest('hex').match(/.{4}/g)!.join(' ')
  expect(whole.out).toContain(`The file is as it was given out at ${file.exportedAt}, signed with ${print}.\n`)
  expect(whole.out).toMatch(/^Anchored up to revision \d+, by anchor 1 of \S+Z; [1-9]\d* events came since and are not anchored yet\.$/m)
  const other = await verify(file, '--key', '-'.padEnd(43, 'A'))
  expect(other).toMatchObject({ code: 1, err: expect.stringContaining('it is signed with') })
  const changed = await verify(
    edited((copy) => {
      messageText(copy).body = 'aceito o preço de R$ 900'
    }),
  )
  expect(changed).toMatchObject({
    code: 1,
    err: expect.stringMatching(/^BROKEN ticket-1-\d+ at revision \d+, MessageSent \S+: text \(body is not what it stores\)\n$/),
  })
  expect(await verify(file, '--key', print)).toEqual(whole) // the fingerprint, as the auditor's page shows it
  const neither = { code: 2, out: '', err: '--key takes a public key of 43 characters, or its fingerprint of 64 hex digits\n' }
  expect(await verify(file, '--key', print.slice(0, 19))).toEqual(neither)
  expect(await verify(file, '--key', 'A'.repeat(43))).toMatchObject({
    code: 1,
    err: expect.stringContaining(`: key (it is signed with`),
  })
})

it('is invalid if it repeats a name or writes a number in another form', async () => {
  const whole = JSON.stringify(file)
  const lines = ({ events, ...heading }: TicketHistory) => [heading, ...events].map((one) => JSON.stringify(one))
  const [heading = '', ...events] = lines(file)
  const forged = '"ticket":{"contact":"EVIL"}'
  const first = file.events[0]!
  const texts = [
    whole.replace('{', `{${forged},`),
    JSON.stringify(file, null, 2).replace('{', `{${forged.replace('ticket', '\\u0074icket')},`),
    whole.replace(`"type":${JSON.stringify(first.type)}`, (own) => `"type":"EVIL",${own}`),
    [heading.replace('{', `{${forged},`), ...events].join('\n'),
  ]
  for (const text of texts) {
    expect(text).not.toBe(whole)
    expect((await verifyExport(text)).bad, text.slice(0, 60)).toMatchObject([{ reason: 'text', detail: expect.stringMatching(/twice$/) }])
  }
  const inHeading = [heading.replace('{', '{"events":[],'), ...events].join('\n')
  expect((await verifyExport(inHeading)).bad).toMatchObject([{ reason: 'unreadable' }])
  for (const text of [whole, JSON.stringify(file, null, 2), lines(file).join('\n')]) expect((await verifyExport(text)).bad).toEqual([])
  const numbers = ['.0000000000000000001', 'e0'].map((more) => whole.replace(/"revision":\d+/, (own) => own + more))
  for (const text of [...numbers, whole.replace('"brokenAt":null', '"brokenAt":1e999')])
    expect((await verifyExport(text)).bad).toMatchObject([{ reason: 'text', detail: expect.stringMatching(/^it writes the number /) }])
})

it('contains the result of the app’s own check, which has the keys', async () => {
  const foundWith = (chain: TicketHistory['chain']) =>
    found(
      signedBy(
        app.ctx.signingKey.sign,
        edited((copy) => Object.assign(copy, { chain })),
      ),
    )
  expect(file.chain).toEqual({ holds: true, brokenAt: null, reason: null })
  expect(await foundWith({ holds: false, brokenAt: 1, reason: 'mac' })).toEqual([['found', 1]])
  expect(await foundWith({ holds: false, brokenAt: null, reason: null })).toEqual([['found', null]])
  expect(await verifyExport(JSON.stringify(file))).toMatchObject({ bad: [], exportedAt: file.exportedAt })
})

describe('an edited file', () => {
  it.each<[string, (copy: TicketHistory) => void, string]>([
    [
      'a flipped byte',
      ({ events }) => {
        events[1]!.data.userId = 99
      },
      'hash',
    ],
    [
      'a changed text',
      (copy) => {
        messageText(copy).body = 'não aceito'
      },
      'text',
    ],
    [
      'another sender in the readable part',
      ({ events }) => {
        events[0]!.plain!.connectionId = 7
      },
      'text',
    ],
    [
      'a readable field that no event stores',
      (copy) => {
        messageText(copy).private = true
      },
      'text',
    ],
    [
      'a removed readable field',
      (copy) => {
        delete messageText(copy).messageId
      },
      'text',
    ],
    [
      'a removed text',
      (copy) => {
        delete messageText(copy).body
      },
      'signature',
    ],
    [
      'another contact name in the header',
      ({ ticket: of }) => {
        of.contact = 'Outra pessoa'
      },
      'signature',
    ],
    [
      'another export date',
      (copy) => {
        copy.exportedAt = '2020-01-01T00:00:00.000Z'
      },
      'signature',
    ],
    [
      'the result of the check removed',
      (copy) => {
        delete (copy as Partial<TicketHistory>).chain
      },
      'signature',
    ],
    ['its last events removed', ({ events }) => void events.splice(2), 'cut'],
    ['its newest event removed', ({ events }) => void events.pop(), 'signature'],
    [
      'its anchor removed',
      (copy) => {
        copy.anchor = null
      },
      'signature',
    ],
    [
      'its anchor backdated',
      ({ anchor }) => {
        anchor!.anchor.at = '2020-01-01T00:00:00.000Z'
      },
      'signature',
    ],
    [
      'an invalid anchor',
      (copy) => {
        copy.anchor = { head: {} } as never
      },
      'signature',
    ],
    [
      'its signature removed',
      (copy) => {
        delete copy.signature
      },
      'signature',
    ],
    ['signature and key removed', (copy) => void Object.assign(copy, { signature: undefined, publicKey: undefined }), 'signature'],
  ])('with %s is detected', async (_, change, reason) => {
    expect((await found(edited(change))).map(([reason]) => reason)).toEqual([reason])
  })

  it('a rewritten event with recomputed hashes is detected by its anchor', async () => {
    const forged = rewritten((events) => {
      events[1]!.data.forged = true
    })
    expect(await found(forged)).toEqual([['anchor', file.anchor!.head.revision]])
  })

  it('a file signed with another key is detected by a reader who knows the right key', async () => {
    const database = await freshDatabase()
    const { db } = openStore(database.url, 1)
    await migrate(db)
    const own: SigningKey = await signingKey(db, Buffer.alloc(32, 9))
    await db.destroy()
    await database.drop()
    const { anchor: proof, ...forged } = rewritten((events) => {
      events[1]!.data.forged = true
    })
    const head = { ...proof!.head, hash: hashOf(forged.events[proof!.head.revision]!.meta) }
    const heads = [{ kind: 'ticket', id: head.ticketId, revision: head.revision, hash: head.hash }]
    const anchor = { anchor: signAnchor(own, forged.company, { number: 0, hash: '' }, heads, proof!.anchor.at), head, index: 0, path: [] }
    const whole = signedBy(own.sign, { ...forged, anchor, publicKey: own.publicKey })
    expect(await verifyExport(JSON.stringify(whole))).toMatchObject({ bad: [], publicKey: own.publicKey })
    expect(await found(whole, app.ctx.signingKey.publicKey)).toEqual([['key', null]])
  })

  function rewritten(change: (events: TicketHistory['events']) => void): TicketHistory {
    return edited((copy) => {
      change(copy.events)
      for (const one of copy.events) if (one.plain?.forged !== one.data.forged) one.plain = { ...one.plain, forged: one.data.forged! }
      const anew = chained('', copy.stream, 0n, copy.events)
      copy.events = copy.events.map((event, i) => ({ ...event, meta: { ...event.meta, hash: anew[i]!.meta.hash! } }))
    })
  }
})

it('a masked export is valid too', async () => {
  await app.set('enableLGPD', 'enabled')
  await app.set('lgpdHideNumber', 'enabled')
  expect((await verifyExport(JSON.stringify(await exported('dulce')))).bad).toEqual([])
})

it('an export of an erased contact omits personal fields and is valid too', async () => {
  const { db, company } = app
  const key = db.selectFrom('contactKey').selectAll().where('contactId', '=', company.contacts.maria)
  const { wrapped } = await key.executeTakeFirstOrThrow()
  const put = (now: { wrapped: Buffer | null; destroyedAt: string | null }) =>
    db.updateTable('contactKey').set(now).where('contactId', '=', company.contacts.maria).execute()
  await put({ wrapped: null, destroyedAt: new Date().toISOString() })
  try {
    const left = await exported()
    expect(JSON.stringify(left)).not.toContain('aceito o preço')
    expect(left.events.every(({ salts }) => Object.keys(salts ?? {}).length === 0)).toBe(true)
    expect((await verifyExport(JSON.stringify(left))).bad).toEqual([])
  } finally {
    await put({ wrapped, destroyedAt: null })
  }
})

it('a readable personal field without a commitment is refused', async () => {
  const stream = streamName(ticketStream, app.company.companies.casa, ticket.id)
  const old = edited((copy) => {
    const bare = copy.events.map(({ meta: { commitments: _, ...meta }, ...event }) => ({ ...event, meta }))
    copy.events = bare.map((event, i) => ({ ...event, meta: chained('', stream, 0n, bare)[i]!.meta, salts: {} }))
    copy.anchor = null
  })
  const given = signedBy(app.ctx.signingKey.sign, old)
  expect((await found(given)).map(([reason]) => reason)).toEqual(['text'])
})
