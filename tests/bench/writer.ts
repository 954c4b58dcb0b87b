/**
 * A worker that creates its share of the tickets: it seals, chains and signs their events, and copies them into
 * the log.
 */

import { parentPort, workerData } from 'node:worker_threads'
import pg from 'pg'
import { contactKeys } from '#app/crypto/contact-keys.ts'
import { eventMacKeys } from '#app/crypto/event-mac-keys.ts'
import { chained } from '#app/event-store/chain.ts'
import { encodeEvent } from '#app/event-store/event-codec.ts'
import { streamName } from '#domain/stream.ts'
import { ticketStream } from '#domain/ticket/stream.ts'
import { openStore } from '#projections/postgres.ts'
import { copyIn, escaped } from './copy.ts'
import type { BenchPlace } from './place.ts'
import { contactOf, talk } from './talk.ts'
import { vocabulary } from './words.ts'

export type Share = { url: string; masterKey: string; activeTickets: BenchPlace; part: number; parts: number }
/** Tickets whose events are mixed in the log by time, as in real use. */
const block = 500
const mostMessages = 16
const column = 'copy event (stream, version, type, id, data, meta) from stdin'

const { url, masterKey, activeTickets, part, parts } = workerData as Share
const { companyId, size } = activeTickets
const client = new pg.Client({ connectionString: url })
await client.connect()
const master = Buffer.from(masterKey, 'base64')
const keys = contactKeys(client as never, master, { most: 50_000, freshMs: 3_600_000 })
const signer = await signerOf(url)
const words = vocabulary(size.seed)
let events = 0
let messages = 0

for (let from = 1 + part * block; from <= size.tickets; from += parts * block) {
  const numbers = Array.from({ length: Math.min(block, size.tickets - from + 1) }, (_, k) => from + k)
  await write(numbers, (i) => talk(i, activeTickets, words, (i - 1) * mostMessages + 1))
}
if (part === 0) {
  const long = size.tickets + 1
  // its last events are cut off, so that the count is exact
  const first = size.tickets * mostMessages + 1
  await write([long], (i) => cut(talk(i, activeTickets, words, first, size.longest), size.longest))
  await write([long + 1], (i) => cut(talk(i, activeTickets, words, first + size.longest, size.endless / 2), size.endless))
}
await client.end()
parentPort!.postMessage({ events, messages })

async function write(numbers: number[], told: (i: number) => ReturnType<typeof talk>): Promise<void> {
  await keys.load(
    companyId,
    numbers.map((i) => contactOf(i, activeTickets)),
  )
  const rows: { at: string; text: string }[] = []
  for (const i of numbers) {
    const { ticketId, contactId, steps } = told(i)
    const stream = streamName(ticketStream, companyId, ticketId)
    const key = await keys.find({ companyId, contactId })
    const ready = steps.flatMap(({ commandId, facts }) =>
      facts.map((fact) => encodeEvent(ticketStream, stream, fact, contactId, commandId, key)),
    )
    for (const [version, { type, id, data, meta }] of chained('', stream, 0n, ready, signer).entries()) {
      const text = `${stream}\t${version}\t${type}\t${id}\t${escaped(JSON.stringify(data))}\t${escaped(JSON.stringify(meta))}\n`
      rows.push({ at: meta.at as string, text })
      if (type === 'MessageReceived' || type === 'MessageSent') messages++
    }
  }
  rows.sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0)) // the sort is stable and keeps the order within a ticket
  events += rows.length
  await copyIn(client, column, rows.map(({ text }) => text).join(''))
}

async function signerOf(connectionString: string) {
  const { db } = openStore(connectionString, 1)
  const { current } = await eventMacKeys(db, master)
  await db.destroy()
  return current
}

function cut(told: ReturnType<typeof talk>, most: number): ReturnType<typeof talk> {
  let left = most
  const steps = told.steps.flatMap((step) => {
    const facts = step.facts.slice(0, left)
    left -= facts.length
    return facts.length > 0 ? [{ ...step, facts }] : []
  })
  return { ...told, steps }
}
