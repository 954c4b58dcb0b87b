import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { erasePerson, repeatErasures } from '#app/data-request/erase.ts'
import { subjectOf } from '#app/data-request/preview.ts'
import { readReceipt } from '#app/data-request/receipt.ts'
import { rebuild } from '#app/event-store/rebuild.ts'
import { type Imported, withoutErased } from '#app/inbound/importing.ts'
import type { Viewer } from '#domain/access.ts'
import { erasureCounts } from '#domain/data-request/contract.ts'
import { ticketProjector } from '#projections/ticket/projector.ts'
import { startTestApp, type TestApp } from '#tests/support/server.ts'
import { eventually } from '#tests/support/wait.ts'
import {
  closeAll,
  contactIdOf,
  fillEveryPlace,
  isDone as isDoneIn,
  isInText,
  name,
  number,
  placesOfPerson,
  sentinel,
  showPicture,
} from './person.ts'

let app: TestApp
const logged: string[] = []
let of: Awaited<ReturnType<typeof fillEveryPlace>>
beforeAll(async () => {
  app = await startTestApp({ log: (line) => void logged.push(line) })
  of = await fillEveryPlace(app)
})
afterAll(() => app?.stop())

const admin = (method: string, path: string, body?: object) => app.as('admin')(method, path, body)
const numbers = async () =>
  Promise.all(
    (['ticketCounter', 'ticketFact', 'ticketInterval', 'trafficSum'] as const).map((table) =>
      app.db.selectFrom(table).selectAll().execute(),
    ),
  )

/** The parts that an erasure needs, in a process that ends before its statement of this number. */
function dying(statements: number): typeof app.ctx {
  let done = 0
  const step = () => {
    if (done++ >= statements) throw new Error('killed')
  }
  const dies = <T extends object>(part: T): T =>
    new Proxy(part, {
      get: (of, name) => {
        const value = Reflect.get(of, name)
        if (typeof value !== 'function') return value
        return (...args: unknown[]) => {
          step()
          return value.apply(of, args)
        }
      },
    })
  const db = app.db.withPlugin({
    transformQuery({ node }) {
      step()
      return node
    },
    transformResult: async ({ result }) => result,
  })
  return { ...app.ctx, db, contactKeys: dies(app.ctx.contactKeys), media: dies(app.ctx.media) }
}

it('the preview counts every place (A-ERASE-01)', async () => {
  const { status, body } = await admin('GET', `/contacts/${of.contactId}/erasure`)
  expect([status, body.ticket]).toEqual([200, null])
  expect(erasureCounts.filter((place) => !(body.counts[place] > 0))).toEqual(['outbox'].filter((place) => body.counts[place] === 0))
  expect(body.counts).toMatchObject({ tickets: 2, notes: 1, cardsElsewhere: 1, phoneBook: 1, exports: 1, savedTexts: 5, extraFields: 1 })
})

it('another name is refused, and so is a group', async () => {
  const wrong = await admin('POST', `/contacts/${of.contactId}/erasure`, { name: 'Outra' })
  expect([wrong.status, wrong.body.error]).toEqual([400, 'ERR_ERASURE_NAME'])
  const group = await app.db.selectFrom('contact').select('id').where('isGroup', '=', true).executeTakeFirstOrThrow()
  expect((await admin('GET', `/contacts/${group.id}/erasure`)).body.error).toBe('ERR_DATA_REQUEST_GROUP')
})

it('nothing of the person is left in tables, opened events, files or the log (A-ERASE-02)', async () => {
  expect(await placesOfPerson(app)).not.toEqual([])
  const before = await numbers()
  const { status, body } = await admin('POST', `/contacts/${of.contactId}/erasure`, { name })
  expect(status).toBe(202)
  await app.settled()
  const [done] = (await admin('GET', `/data-requests?contactId=${of.contactId}`)).body.requests.filter(
    ({ id }: { id: number }) => id === body.id,
  )
  expect(done).toMatchObject({ kind: 'erasure', state: 'done', user: { name: expect.any(String) } })
  expect(await placesOfPerson(app)).toEqual([])
  expect(logged.filter(isInText)).toEqual([])
  expect(await numbers()).toEqual(before) // A-COUNT-04
  for (const text of [sentinel, name, number, 'legenda zq7x'])
    for (const call of ['/messages/search?', '/tickets?status=search&searchOnMessages=true&', '/contacts?', '/ticketreport/reports?']) {
      const { body: found } = await admin('GET', `${call}searchParam=${encodeURIComponent(text)}`)
      expect([call, text, (found.tickets ?? found.contacts).length]).toEqual([call, text, 0])
    }
})

it('other people keep what they wrote themselves (A-ERASE-05)', async () => {
  const texts = app.db
    .selectFrom('message')
    .select(['body', 'vCard', 'mediaType'])
    .where('ticketId', '=', of.otherTicketId)
    .where('fromMe', '=', false)
  expect(await texts.orderBy('revision').execute()).toEqual([
    { body: '⌫', vCard: '⌫', mediaType: 'contactMessage' },
    { body: '⌫', vCard: null, mediaType: 'chat' },
    { body: 'bom dia', vCard: null, mediaType: 'chat' },
  ])
  const group = app.db.selectFrom('message').innerJoin('ticket', 'ticket.id', 'message.ticketId').select(['body', 'senderName'])
  expect(await group.where('ticket.isGroup', '=', true).orderBy('message.revision').execute()).toEqual([
    { body: '⌫', senderName: null },
    { body: 'sim', senderName: 'Outro Cliente' },
  ])
})

it('other contacts, quick replies and tags keep their texts without the person (A-ERASE-02)', async () => {
  const { contacts } = app.company
  const { extraInfo } = (await admin('GET', `/contacts/${contacts.maria}`)).body
  expect(extraInfo).toMatchObject([
    { name: 'Indicada por', value: '⌫, ⌫, tel. ⌫' },
    { name: 'Cidade', value: 'Recife' },
  ])
  const { id } = await app.db.selectFrom('tag').select('id').where('name', 'like', 'da ⌫%').executeTakeFirstOrThrow()
  expect((await admin('GET', `/tags/${id}`)).body.name).toBe(`da ⌫${id}`)
  expect(await app.db.selectFrom('quickMessage').select('message').execute()).toContainEqual({ message: 'Fale com ⌫ em ⌫' })
  expect(await app.db.selectFrom('waKey').select('id').execute()).toEqual([{ id: '5511977770001.0' }])
})

it('the replay shows that the content was erased, and the chain holds', async () => {
  const { uuid } = await app.db.selectFrom('ticketHistory').select('uuid').where('id', '=', of.ticketId).executeTakeFirstOrThrow()
  const { body } = await app.as('admin')('GET', `/ticket-history/${uuid}`)
  const received = body.events.find(({ type }: { type: string }) => type === 'MessageReceived')
  expect(received).toMatchObject({ erased: true, fault: null })
})

it('a second erasure answers the first, and a second run changes nothing (A-ERASE-03)', async () => {
  const [first] = (await admin('GET', `/data-requests?contactId=${of.contactId}`)).body.requests
  const again = await admin('POST', `/contacts/${of.contactId}/erasure`, { name: '' })
  expect([again.status, again.body.id, again.body.state]).toEqual([202, first.id, 'done'])
  const receipt = await admin('GET', `/data-requests/${first.id}/receipt`)
  await erasePerson.run({ requestId: first.id }, app.ctx)
  expect((await admin('GET', `/data-requests/${first.id}/receipt`)).body).toEqual(receipt.body)
  expect(await app.db.selectFrom('securityEvent').select('detail').where('kind', '=', 'erased').execute()).toHaveLength(2)
})

it('the receipt is signed, names the person by id only, and an altered one does not hold (A-ERASE-04)', async () => {
  const [{ id }] = (await admin('GET', `/data-requests?contactId=${of.contactId}`)).body.requests
  const text = JSON.stringify((await admin('GET', `/data-requests/${id}/receipt`)).body)
  expect(isInText(text)).toBe(false)
  expect(readReceipt(text)).toMatchObject({ holds: true, receipt: { contact: of.contactId, removed: { tickets: 2, cardsElsewhere: 1 } } })
  expect(readReceipt(text.replace('"notes":1', '"notes":0'))?.holds).toBe(false)
  expect(readReceipt('{}')).toBeNull()
})

it('an import does not restore what the person wrote before the erasure (A-ERASE-06)', async () => {
  const message = (at: string, phone: string): Imported => ({
    ...{ type: 'message', externalId: at, from: [{ kind: 'phone', id: phone }], name: 'x', group: null, at },
    ...{ kind: 'chat', body: 'x', media: null, vCard: null, quotedExternalId: null },
  })
  const [old, later, other] = [
    message('2020-01-01T00:00:00Z', number),
    message('2090-01-01T00:00:00Z', number),
    message('2020-01-01T00:00:00Z', '5511977770001'),
  ]
  const connection = { companyId: app.company.companies.casa, channel: 'whatsapp' } as const
  expect(await withoutErased(connection, [old, later, other], app.db, app.ctx.signingKey)).toEqual([later, other])
})

it('a run that stops in the middle is continued by the next one (A-ERASE-03)', async () => {
  const phone = '5511985550388'
  await app.phone.says(phone, 'texto que some')
  await app.settled()
  const contactId = await contactIdOf(app, phone)
  await closeAll(app, contactId)
  const known = { name: 'x', number: phone, contacts: [contactId], names: ['x'], emails: [], ids: [phone] }
  const person = { ...known, files: null, streams: [] }
  const request = { companyId: app.company.companies.casa, contactId, userId: app.company.users.admin, kind: 'erasure' as const }
  const { id } = await app.db
    .insertInto('dataRequest')
    .values({ ...request, person: JSON.stringify(person) })
    .returning('id')
    .executeTakeFirstOrThrow()
  const stopped = { ...app.ctx, contactKeys: { ...app.ctx.contactKeys, refreshRedactions: () => Promise.reject(new Error('killed')) } }
  await expect(erasePerson.run({ requestId: id }, stopped)).rejects.toThrow('killed') // the key is destroyed, and the rows still hold the text
  await erasePerson.run({ requestId: id }, app.ctx)
  const [done] = (await admin('GET', `/data-requests?contactId=${contactId}`)).body.requests
  expect(done).toMatchObject({ id, state: 'done', done: 1, total: 1 })
  const texts = app.db.selectFrom('message').innerJoin('ticket', 'ticket.id', 'message.ticketId').select('body')
  expect(await texts.where('ticket.contactId', '=', contactId).where('fromMe', '=', false).execute()).toEqual([{ body: '⌫' }])
  const receipt = readReceipt(JSON.stringify((await admin('GET', `/data-requests/${id}/receipt`)).body))
  expect(receipt).toMatchObject({ holds: true, receipt: { removed: { tickets: 1 } } })
})

it('a process that is killed at any statement leaves nothing once continued (A-ERASE-03)', async () => {
  const phone = '5511985550355'
  await app.phone.says(phone, `${sentinel} escreve`)
  await app.phone.says(phone, `${sentinel} escreve de novo`)
  await app.settled()
  const contactId = await contactIdOf(app, phone)
  const { version } = (await admin('GET', `/contacts/${contactId}`)).body
  await admin('PUT', `/contacts/${contactId}`, { version, name: `${sentinel} Morta`, email: `${sentinel}-m@exemplo.test` })
  await showPicture(app, contactId, `${sentinel} Morta`)
  const { urlPicture } = (await admin('GET', `/contacts/${contactId}`)).body
  const picture = async () => (await fetch(app.url + urlPicture)).status
  expect(await picture()).toBe(200)
  await closeAll(app, contactId)
  expect((await placesOfPerson(app)).filter((place) => place.startsWith('file'))).toHaveLength(1)
  const request = { companyId: app.company.companies.casa, contactId, userId: app.company.users.admin, kind: 'erasure' as const }
  const { person } = await subjectOf(app.db, { ...request, id: request.userId } as unknown as Viewer, contactId)
  const { id } = await app.db
    .insertInto('dataRequest')
    .values({ ...request, person: JSON.stringify({ ...person, files: null, streams: [] }) })
    .returning('id')
    .executeTakeFirstOrThrow()
  await app.db.updateTable('contact').set({ deletedAt: new Date().toISOString() }).where('id', '=', contactId).execute()
  const isFound = async () => {
    const row = await app.db.selectFrom('dataRequest').select('person').where('id', '=', id).executeTakeFirstOrThrow()
    return row.person !== null && row.person.files !== null
  }
  const dies = (statements: number) =>
    erasePerson.run({ requestId: id }, dying(statements)).then(
      () => false,
      (error: Error) => error.message === 'killed' || Promise.reject(error),
    )
  let kills = 0
  while (!(await isFound())) expect(await dies(kills++)).toBe(true)
  kills = 0 // what follows does not search again
  while (await dies(kills)) kills++
  expect(kills).toBeGreaterThan(20)
  expect(await picture()).toBe(404)
  const [done] = (await admin('GET', `/data-requests?contactId=${contactId}`)).body.requests
  expect(done).toMatchObject({ id, state: 'done' })
  expect(await placesOfPerson(app)).toEqual([])
  const receipt = readReceipt(JSON.stringify((await admin('GET', `/data-requests/${id}/receipt`)).body))
  expect(receipt).toMatchObject({ holds: true, receipt: { removed: { tickets: 1, messages: 2 } } })
})

/** A person with one closed ticket. */
async function personWith(phone: string, text: string): Promise<number> {
  await app.phone.says(phone, text)
  await app.settled()
  const contactId = await contactIdOf(app, phone)
  await closeAll(app, contactId)
  return contactId
}
const isDone = (contactId: number) => isDoneIn(app, contactId)

it('a rebuild of the tables that runs meanwhile restores nothing for long (A-ERASE-02)', async () => {
  const contactId = await personWith('5511985550344', `${sentinel} antes da reconstrução`)
  const erase = async () => {
    expect((await admin('POST', `/contacts/${contactId}/erasure`, { name: 'Cliente 0344' })).status).toBe(202)
    await isDone(contactId)
  }
  await rebuild(ticketProjector, app.ctx)
  await rebuild(ticketProjector, app.ctx)
  const replaced = async () => (await placesOfPerson(app)).filter((place) => place.startsWith('previous'))
  expect(await replaced()).not.toEqual([])
  /* The erasure begins and ends while the rebuilt tables wait to replace the live ones. */
  const [rebuilt] = await app.db.transaction().execute(async (on) => {
    await sql`select from message limit 1`.execute(on) // the replacement waits for the end of this transaction
    const waiting = Promise.withResolvers<void>()
    const running = rebuild(ticketProjector, app.ctx, { waits: () => waiting.resolve() })
    await waiting.promise
    await erase()
    return [running]
  })
  await rebuilt
  expect(await placesOfPerson(app)).not.toEqual([])
  const ago = sql<string>`now() - interval '3 minutes'`
  await app.db.updateTable('dataRequest').set({ finishedAt: ago, rowsAt: ago }).where('contactId', '=', contactId).execute()
  await repeatErasures(app.ctx)
  expect(await placesOfPerson(app)).toEqual([])
})

it('an erasure is done once if others delete or erase the contact at the same moment', async () => {
  const contactId = await personWith('5511985550333', `${sentinel} duas vezes`)
  const erase = () => admin('POST', `/contacts/${contactId}/erasure`, { name: 'Cliente 0333' })
  const answers = await Promise.all([erase(), admin('DELETE', `/contacts/${contactId}`), erase()])
  for (const { status } of answers) expect(status).toBeLessThan(500)
  const [first, , third] = answers
  expect([first.status, third.status, third.body.id]).toEqual([202, 202, first.body.id])
  await isDone(contactId)
  const [{ id }] = (await admin('GET', `/data-requests?contactId=${contactId}`)).body.requests
  await Promise.all([erasePerson.run({ requestId: id }, app.ctx), erasePerson.run({ requestId: id }, app.ctx)])
  expect(await placesOfPerson(app)).toEqual([])
  const deleted = app.db
    .selectFrom('audit')
    .select('id')
    .where('list', '=', 'contact')
    .where('rowId', '=', contactId)
    .where('after', 'is', null)
  expect(await deleted.execute()).toHaveLength(1)
})

it('a person who writes again during the erasure gets a new contact', async () => {
  const phone = '5511985550399'
  await app.phone.says(phone, 'oi')
  await app.settled()
  const contactId = await contactIdOf(app, phone)
  const refused = await admin('POST', `/contacts/${contactId}/erasure`, { name: 'Cliente 0399' })
  expect([refused.status, refused.body.error]).toEqual([409, 'ERR_OTHER_OPEN_TICKET'])
  await closeAll(app, contactId)
  const [started] = await Promise.all([
    admin('POST', `/contacts/${contactId}/erasure`, { name: 'Cliente 0399' }),
    app.phone.says(phone, 'voltei'),
  ])
  await app.settled()
  if (started.status === 202) {
    expect(await contactIdOf(app, phone)).not.toBe(contactId)
    expect((await app.db.selectFrom('message').select('body').where('body', '=', 'voltei').execute()).length).toBe(1)
  } else expect(started.body.error).toBe('ERR_OTHER_OPEN_TICKET') // the message was faster
  expect(number).not.toBe(phone)
})

it('an erasure takes the contacts that were merged into the person with it (A-ERASE-02, A-MERGE-01)', async () => {
  const phones = ['5511985550366', '5511985550377']
  const ids: number[] = []
  for (const [n, phone] of phones.entries()) {
    await app.phone.says(phone, `${sentinel} conta ${n}`)
    await app.settled()
    const id = await contactIdOf(app, phone)
    await closeAll(app, id)
    const { body } = await admin('PUT', `/contacts/${id}`, {
      name: `${sentinel} ${n}`,
      number: phone,
      email: `${sentinel}-${n}@exemplo.test`,
    })
    expect(body.name).toBe(`${sentinel} ${n}`)
    ids.push(id)
  }
  const [target, source] = ids as [number, number]
  expect((await admin('POST', `/contacts/${source}/merge`, { targetId: target })).status).toBe(200)
  const { counts } = (await admin('GET', `/contacts/${source}/erasure`)).body
  expect(counts).toMatchObject({ tickets: 2, messages: 2 })
  expect((await admin('POST', `/contacts/${source}/erasure`, { name: `${sentinel} 1` })).body.error).toBe('ERR_ERASURE_NAME') // it is shown as the other
  const started = await admin('POST', `/contacts/${source}/erasure`, { name: `${sentinel} 0` })
  expect([started.status, started.body.contactId]).toEqual([202, target])
  await eventually(
    async () => (await admin('GET', `/data-requests?contactId=${target}`)).body.requests[0],
    (one) => one.state === 'done',
  )
  expect(await placesOfPerson(app)).toEqual([])
  const keys = app.db.selectFrom('contactKey').select('contactId').where('contactId', 'in', ids).where('destroyedAt', 'is not', null)
  expect((await keys.execute()).map(({ contactId }) => contactId).toSorted((a, b) => a - b)).toEqual(ids.toSorted((a, b) => a - b))
  expect((await admin('POST', `/contacts/${source}/separate`, {})).status).toBe(404)
})

it('a form that was open during an erasure does not write the person back', async () => {
  const { maria } = app.company.contacts
  const phone = '5511985550322'
  const contactId = await personWith(phone, 'oi')
  const fields = [{ name: 'Fiador', value: 'tel. 11985550322' }]
  await admin('PUT', `/contacts/${maria}`, { extraInfo: fields })
  const { version } = (await admin('GET', `/contacts/${maria}`)).body
  await admin('POST', `/contacts/${contactId}/erasure`, { name: 'Cliente 0322' })
  await isDone(contactId)
  expect((await admin('PUT', `/contacts/${maria}`, { version, extraInfo: fields })).status).toBe(409)
  expect((await admin('GET', `/contacts/${maria}`)).body.extraInfo).toMatchObject([{ value: 'tel. ⌫' }])
})

it('names that must stay different do not prevent an erasure', async () => {
  const contactId = await personWith('5511985550321', 'oi')
  for (const name of ['11985550321', '5511985550321', '1185550321']) {
    expect((await admin('POST', '/tags', { name, color: '#7c3aed' })).status).toBe(200)
    expect((await admin('POST', '/quick-messages', { shortcode: name, message: 'x' })).status).toBe(200)
  }
  await admin('POST', `/contacts/${contactId}/erasure`, { name: 'Cliente 0321' })
  await isDone(contactId)
  expect(await app.db.selectFrom('tag').select('id').where('name', 'like', '%0321%').execute()).toEqual([])
  expect(await app.db.selectFrom('quickMessage').select('id').where('shortcode', 'like', '%0321%').execute()).toEqual([])
})
