import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eraseDeletedContacts } from '#app/contact/remove.ts'
import { rebuild } from '#app/event-store/rebuild.ts'
import { ticketProjector } from '#projections/ticket/projector.ts'
import { openScene, type Scene } from '#tests/http/scene.ts'
import { rowsOf } from '#tests/support/recompute-read-models.ts'
import { startTestApp, type TestApp } from '#tests/support/server.ts'
import { eventually } from '#tests/support/wait.ts'
import { type Customer, customersOf } from './customers.ts'

/* The merge of two contacts and its undo (A-MERGE-01), over HTTP. */
let app: TestApp
let scene: Scene
beforeAll(async () => {
  app = await startTestApp()
  scene = await openScene(app)
})
afterAll(() => app.stop())

const { newNumber, call, ok, customer, close, merge, separate, ticketsOf, sentTo, say, overview } = customersOf(() => ({ app, scene }))
/** Everything that reads show of two contacts and their tickets. */
const shown = async (...contacts: Customer[]) =>
  Promise.all(
    contacts.map(async (one) => {
      const { version: _, updatedAt: __, ...row } = await ok('GET', `/contacts/${one.id}`)
      return {
        row,
        tickets: await ticketsOf(one),
        notes: await ok('GET', `/ticket-notes/list?ticketId=${one.ticketId}&contactId=${one.id}`),
      }
    }),
  )

describe('a merge (A-MERGE-01)', () => {
  it('shows tickets, notes, tags and fields of both under the target, once each', async () => {
    const [caio, iara] = [await customer('palavra antiga do Caio'), await customer('oi, sou Iara')]
    for (const one of [caio, iara]) await close(one)
    await ok('POST', '/ticket-notes', { ticketId: caio.ticketId, note: 'nota do Caio' })
    await ok('POST', '/ticket-notes', { ticketId: iara.ticketId, note: 'nota da Iara' })
    const { vip, novo } = scene.tags
    await ok('PUT', `/contacts/${caio.id}`, { name: 'Caio Prado', email: 'caio@x.test', extraInfo: [{ name: 'CPF', value: '111' }] })
    await ok('PUT', `/contacts/${iara.id}`, { name: 'Iara Reis', extraInfo: [{ name: 'CPF', value: '222' }] })
    await ok('PUT', `/contacts/${caio.id}/tags`, { added: [vip, novo], taken: [] })
    await ok('PUT', `/contacts/${iara.id}/tags`, { added: [vip], taken: [] })
    const before = await shown(caio, iara)
    const rows = await rowsOf(app.db)

    const { status, body } = await merge(caio, iara)
    expect([status, body.id, body.name, body.email]).toEqual([200, iara.id, 'Iara Reis', 'caio@x.test'])
    expect(body.extraInfo).toEqual([
      { id: 1, name: 'CPF', value: '222' },
      { id: 2, name: 'CPF', value: '111' },
    ])
    expect(body.tags.map(({ id }: { id: number }) => id)).toEqual([vip, novo])
    const tickets = await ticketsOf(iara)
    expect(tickets.map(({ id }) => id)).toEqual([caio.ticketId, iara.ticketId])
    expect(tickets.map(({ contact, contactId }) => [contactId, contact.name])).toEqual([
      [iara.id, 'Iara Reis'],
      [iara.id, 'Iara Reis'],
    ])
    const notes = await ok('GET', `/ticket-notes/list?ticketId=${iara.ticketId}&contactId=${iara.id}`)
    expect(notes.map(({ note }: { note: string }) => note)).toEqual(['nota da Iara', 'nota do Caio'])
    expect((await ok('GET', `/messages/${iara.ticketId}`)).messages.map((one: any) => one.body)).toContain('palavra antiga do Caio')
    expect((await ok('GET', '/tickets?status=search&searchParam=Caio Prado')).tickets).toHaveLength(2)
    const tagged = await ok('GET', `/messages/search?searchParam=antiga&tags=[${vip}]`)
    expect(tagged.tickets.map(({ ticket }: any) => ticket.id)).toEqual([caio.ticketId])
    expect((await ok('GET', `/contacts?searchParam=${caio.number}`)).contacts.map(({ id }: { id: number }) => id)).toEqual([iara.id])
    expect((await ok('GET', `/contacts/${caio.id}`)).id).toBe(iara.id)
    const report = await ok('GET', `/ticketreport/reports?contactId=${iara.id}`)
    expect(report.tickets.map((row: any) => row.contactName)).toEqual(['Iara Reis', 'Iara Reis'])
    expect((await ok('GET', `/ticket-history?contactId=${iara.id}`)).tickets).toHaveLength(2)
    const { ids, merges } = await overview(iara)
    expect(ids.map(({ id }: { id: string }) => id)).toEqual([iara.number, caio.number])
    expect(merges).toMatchObject([{ source: { id: caio.id, name: 'Caio Prado' }, user: { id: scene.users.admin }, canUndo: true }])

    const audit = await app.db
      .selectFrom('audit')
      .select(['userId', 'after'])
      .where('list', '=', 'contact')
      .where('rowId', '=', caio.id)
      .execute()
    expect(audit.at(-1)).toMatchObject({ userId: scene.users.admin, after: { mergedIntoId: iara.id } })
    const found = await rebuild(ticketProjector, { ...app.ctx, connectionString: app.ctx.config.databaseUrl! })
    expect(found.differences).toEqual([])
    expect(await ticketsOf(iara)).toEqual(tickets)

    expect((await separate(caio)).body).toMatchObject({ id: caio.id, name: 'Caio Prado' })
    expect(await shown(caio, iara)).toEqual(before)
    expect(await rowsOf(app.db)).toEqual(rows)
    expect((await overview(iara)).merges).toEqual([])
  })

  it('of a duplicate that the network reported keeps every ticket, and each number once', async () => {
    const [caio, iara] = [await customer('oi'), await customer('olá')]
    for (const one of [caio, iara]) await close(one)
    const { casa: companyId } = app.company.companies
    await app.db.updateTable('contactIdentity').set({ contactId: iara.id }).where('contactId', '=', caio.id).execute()
    await app.db.insertInto('contactDuplicate').values({ companyId, contactId: iara.id, duplicateId: caio.id }).execute()
    expect((await merge(caio, iara)).status).toBe(200)
    expect((await ticketsOf(iara)).map(({ id, contactId }) => [id, contactId])).toEqual([
      [caio.ticketId, iara.id],
      [iara.ticketId, iara.id],
    ])
    expect((await overview(iara)).ids.map(({ id }: { id: string }) => id).toSorted()).toEqual([caio.number, iara.number].toSorted())
    const rows = app.db.selectFrom('ticket').leftJoin('contact', 'contact.id', 'ticket.contactId').select('ticket.id')
    expect(await rows.where('contact.id', 'is', null).execute()).toEqual([])
    expect((await separate(caio)).status).toBe(200)
    expect((await ticketsOf(caio)).map(({ id }) => id)).toEqual([caio.ticketId])
  })
  it('keeps the values that were chosen, and its undo brings back all of them (A-MERGE-02)', async () => {
    const [caio, iara] = [await scene.contact(), await scene.contact()]
    const fields = (...list: [string, string][]) => list.map(([name, value]) => ({ name, value }))
    const caios = fields(['CPF', '111'], ['Cor', 'azul'], ['Loja', 'Sul'], ['Time', 'Azul'])
    const iaras = fields(['Cor', 'verde'], ['CPF', '222'], ['Cidade', 'Recife'], ['Time', 'Azul'])
    await ok('PUT', `/contacts/${caio.id}`, { extraInfo: caios })
    await ok('PUT', `/contacts/${iara.id}`, { extraInfo: iaras })
    const before = [await ok('GET', `/contacts/${caio.id}`), await ok('GET', `/contacts/${iara.id}`)]
    const chosen = [
      { name: 'CPF', keep: 'source' },
      { name: 'Cor', keep: 'target' },
      { name: 'Cidade', keep: 'source' }, // no conflict: nothing is dropped
      { name: 'Nada', keep: 'source' },
    ]
    const answer = await call('POST', `/contacts/${caio.id}/merge`, { targetId: iara.id, fields: chosen })
    const values = ({ extraInfo }: any) => extraInfo.map(({ name, value }: any) => `${name} ${value}`)
    expect([answer.status, values(answer.body)]).toEqual([200, ['Cor verde', 'Cidade Recife', 'Time Azul', 'CPF 111', 'Loja Sul']])
    await separate(caio)
    const after = [await ok('GET', `/contacts/${caio.id}`), await ok('GET', `/contacts/${iara.id}`)]
    expect(after.map(({ extraInfo }) => extraInfo)).toEqual(before.map(({ extraInfo }) => extraInfo))

    await call('POST', `/contacts/${caio.id}/merge`, { targetId: iara.id, fields: chosen })
    await ok('PUT', `/contacts/${iara.id}`, { extraInfo: fields(['Cidade', 'Natal'], ['CPF', '111']) })
    await separate(caio)
    expect(values(await ok('GET', `/contacts/${iara.id}`))).toEqual(['Cidade Natal', 'CPF 222'])
    const wrong = await call('POST', `/contacts/${caio.id}/merge`, { targetId: iara.id, fields: [{ name: 'CPF', keep: 'mine' }] })
    expect([wrong.status, wrong.body.error]).toEqual([400, 'ERR_INVALID_INPUT'])
  })

  it('happens once if it is pressed twice, and an undo too', async () => {
    const [caio, iara] = [await scene.contact(), await scene.contact()]
    expect((await Promise.all([merge(caio, iara), merge(caio, iara)])).map(({ status, body }) => [status, body.id])).toEqual([
      [200, iara.id],
      [200, iara.id],
    ])
    expect((await overview(iara)).merges).toHaveLength(1)
    expect((await Promise.all([separate(caio), separate(caio)])).map(({ status, body }) => [status, body.id])).toEqual([
      [200, caio.id],
      [200, caio.id],
    ])
  })

  it('is refused with itself, with a group, a deleted contact and one of another company', async () => {
    const [caio, iara] = [await scene.contact(), await scene.contact()]
    const id = '120363000000000077@g.us'
    await app.phone.says(newNumber(), 'oi', { group: { id, name: 'Grupo da mescla' } })
    await app.settled()
    const group = await app.db.selectFrom('contact').select('id').where('number', '=', id).executeTakeFirstOrThrow()
    const codes = async (target: { id: number }) => (await merge(caio, target)).body.error
    expect([await codes(caio), await codes(group), await codes({ id: scene.theirs.contact })]).toEqual([
      'ERR_MERGE_SELF',
      'ERR_MERGE_GROUP',
      'ERR_NO_CONTACT_FOUND',
    ])
    await ok('DELETE', `/contacts/${iara.id}`)
    expect(await codes(iara)).toBe('ERR_NO_CONTACT_FOUND')
    expect((await merge({ id: scene.theirs.contact }, caio)).body.error).toBe('ERR_NO_CONTACT_FOUND')
  })

  it('is refused while both have an active ticket on one connection', async () => {
    const [caio, iara] = [await customer('oi'), await customer('olá')]
    expect((await merge(caio, iara)).body.error).toBe('ERR_MERGE_ACTIVE_TICKETS')
    await close(caio)
    expect((await merge(caio, iara)).status).toBe(200)
  })
})

describe('after a merge (A-MERGE-01)', () => {
  it('messages of the source land in the active ticket of the target, and answers go to who wrote last', async () => {
    const [caio, iara] = [await customer('oi'), await customer('olá')]
    await close(caio)
    await ok('PUT', `/tickets/${iara.ticketId}`, { status: 'open', queueId: scene.queues.vendas })
    await merge(caio, iara)
    await say(iara.ticketId, 'para Iara')
    await app.phone.says(caio.number, 'agora do outro número')
    await app.settled()
    expect(await ticketsOf(iara)).toMatchObject([{ id: caio.ticketId }, { id: iara.ticketId, lastMessage: 'agora do outro número' }])
    await say(iara.ticketId, 'para Caio')
    await app.phone.says(iara.number, 'e agora deste')
    await app.settled()
    await say(iara.ticketId, 'de novo para Iara')
    expect([await sentTo(iara), await sentTo(caio)]).toEqual([['para Iara', 'de novo para Iara'], ['para Caio']])

    await close({ ticketId: iara.ticketId })
    await app.phone.says(caio.number, 'novo assunto')
    await app.settled()
    const all = await ticketsOf(iara)
    expect(all).toMatchObject([{}, {}, { status: 'pending', contactId: iara.id, lastMessage: 'novo assunto' }])
    await app.phone.says(iara.number, 'e eu também')
    await app.settled()
    expect(await ticketsOf(iara)).toHaveLength(3) // one active ticket per person and connection

    expect((await separate(caio)).status).toBe(200)
    expect((await ticketsOf(caio)).map(({ id }) => id)).toEqual([caio.ticketId, all[2]!.id])
    expect((await ticketsOf(iara)).map(({ id }) => id)).toEqual([iara.ticketId])
    await app.phone.says(caio.number, 'depois de separar')
    await app.phone.says(iara.number, 'eu também, depois')
    await app.settled()
    expect((await ticketsOf(caio)).map((row) => row.lastMessage).at(-1)).toBe('depois de separar')
    expect(await ticketsOf(iara)).toMatchObject([{ id: iara.ticketId }, { status: 'pending', lastMessage: 'eu também, depois' }])
  })

  it('after the undo the answer goes to the contact of the ticket, and changes stay in their chat', async () => {
    const [caio, iara] = [await customer('oi'), await customer('olá')]
    await close(caio)
    await ok('PUT', `/tickets/${iara.ticketId}`, { status: 'open', queueId: scene.queues.vendas })
    await merge(caio, iara)
    await app.phone.says(caio.number, 'sou Caio')
    await app.settled()
    const [before] = (await ok('POST', `/messages/${iara.ticketId}`, { body: 'para Caio' })).messages
    await app.settled()
    expect((await separate(caio)).status).toBe(200)
    const [after] = (await ok('POST', `/messages/${iara.ticketId}`, { body: 'segredo de Iara' })).messages
    await app.settled()
    for (const [{ id }, body] of [
      [before, 'para Caio, corrigido'],
      [after, 'segredo de Iara, corrigido'],
    ] as const) {
      await ok('POST', `/messages/edit/${id}`, { body })
      await app.settled()
    }
    expect([await sentTo(iara), await sentTo(caio)]).toEqual([['segredo de Iara, corrigido'], ['para Caio, corrigido']])
    await ok('PUT', `/tickets/${iara.ticketId}`, { status: 'closed', sendFarewellMessage: true })
    await app.settled()
    expect(await sentTo(caio)).toEqual(['para Caio, corrigido'])
  })

  it('after the undo of one of two merges only the contacts that stay merged share answers', async () => {
    const [ana, caio, iara] = [await customer('oi'), await customer('oi'), await customer('olá')]
    for (const one of [ana, caio]) await close(one)
    await ok('PUT', `/tickets/${iara.ticketId}`, { status: 'open', queueId: scene.queues.vendas })
    await merge(ana, caio)
    await merge(caio, iara)
    await app.phone.says(ana.number, 'sou Ana')
    await app.settled()
    await say(iara.ticketId, 'para Ana')
    expect((await separate(caio)).status).toBe(200)
    await say(iara.ticketId, 'para Iara')
    expect(await Promise.all([ana, caio, iara].map(sentTo))).toEqual([['para Ana'], [], ['para Iara']])
  })

  it('a block of the target holds for both ids, and its bot switch too', async () => {
    const [caio, iara] = [await customer('oi'), await customer('olá')]
    await close(caio)
    await merge(caio, iara)
    await ok('PUT', `/contacts/block/${iara.id}`, { active: false })
    app.ctx.caches.contacts.clear()
    await app.phone.says(caio.number, 'ninguém ouve')
    await app.settled()
    expect((await ticketsOf(iara)).map((row) => row.lastMessage)).toEqual(['oi', 'olá'])
  })

  it('changes of the target reach the tickets of the source, and searches find the source’s number', async () => {
    const [caio, iara] = [await customer('oi'), await customer('olá')]
    await close(caio)
    await merge(caio, iara)
    const socket = await app.socket('admin')
    socket.emit('joinTickets')
    await ok('PUT', `/contacts/${iara.id}`, { name: 'Iara Mudou' })
    await socket.heard((frame) => frame.ticket?.id === caio.ticketId && frame.ticket.contact.name === 'Iara Mudou')
    expect((await call('POST', '/contacts', { name: 'De novo', number: caio.number })).body.error).toBe('ERR_DUPLICATED_CONTACT')
    expect((await ok('GET', `/contacts/list?name=${caio.number}`)).map(({ id }: { id: number }) => id)).toEqual([iara.id])
  })

  it('masked users see neither the number of the source nor that of the target (A-LGPD-04)', async () => {
    const [caio, iara] = [await customer('oi'), await customer('olá')]
    await close(caio)
    await ok('PUT', `/contacts/${caio.id}`, { name: caio.number })
    await merge(caio, iara)
    await app.set('enableLGPD', 'enabled')
    await app.set('lgpdHideNumber', 'enabled')
    const shownTo = async (path: string) => JSON.stringify((await app.as('ana')('GET', path)).body)
    const texts = [await shownTo(`/contacts/${iara.id}/overview`), await shownTo(`/contacts/${caio.id}`)]
    expect(texts.join()).not.toMatch(new RegExp(`${caio.number}|${iara.number}`))
    expect(texts[0]).toContain('*******')
    await app.set('lgpdHideNumber', 'disabled')
    await app.set('enableLGPD', 'disabled')
  })

  it('the undo keeps what was changed since, and a second merge is undone first', async () => {
    const [caio, iara, nina] = [await scene.contact(), await scene.contact(), await scene.contact()]
    await ok('PUT', `/contacts/${caio.id}`, { email: 'c@x.test', extraInfo: [{ name: 'Cor', value: 'azul' }] })
    await merge(caio, iara)
    await ok('PUT', `/contacts/${iara.id}`, {
      extraInfo: [
        { name: 'Cor', value: 'azul' },
        { name: 'Loja', value: 'Centro' },
      ],
    })
    await merge(iara, nina)
    expect((await ok('GET', `/contacts/${caio.id}`)).id).toBe(nina.id)
    expect((await separate(caio)).body.error).toBe('ERR_MERGED_FURTHER')
    expect((await overview(nina)).merges.map((one: any) => [one.source.id, one.canUndo])).toEqual([
      [iara.id, true],
      [caio.id, false],
    ])
    expect((await separate(iara)).body).toMatchObject({ id: iara.id, email: 'c@x.test' })
    expect((await ok('GET', `/contacts/${caio.id}`)).id).toBe(iara.id)
    expect(await ok('GET', `/contacts/${nina.id}`)).toMatchObject({ email: '', extraInfo: [] })
    await separate(caio)
    expect(await ok('GET', `/contacts/${iara.id}`)).toMatchObject({ email: '', extraInfo: [{ id: 1, name: 'Loja', value: 'Centro' }] })
    expect(await ok('GET', `/contacts/${caio.id}`)).toMatchObject({ email: 'c@x.test', extraInfo: [{ name: 'Cor', value: 'azul' }] })
  })

  it('a deletion of the target deletes the source, and its erasure reaches it (A-CONTACT-01)', async () => {
    const [caio, iara] = [await customer('oi'), await customer('olá')]
    for (const one of [caio, iara]) await close(one)
    await ok('PUT', `/contacts/${caio.id}`, { email: 'apagar@x.test' })
    await merge(caio, iara)
    await ok('DELETE', `/contacts/${iara.id}`)
    expect((await separate(caio)).body.error).toBe('ERR_NO_CONTACT_FOUND')
    const old = new Date(Date.now() - 31 * 86_400_000).toISOString()
    await app.db.updateTable('contact').set({ deletedAt: old }).where('personId', '=', iara.id).execute()
    await eraseDeletedContacts(app)
    const rows = app.db.selectFrom('contact').select(['name', 'number', 'email']).where('personId', '=', iara.id)
    expect(await rows.execute()).toEqual([
      { name: '', number: '', email: '' },
      { name: '', number: '', email: '' },
    ])
    const kept = await app.db.selectFrom('contactMerge').select('changes').where('sourceId', '=', caio.id).executeTakeFirstOrThrow()
    expect(kept.changes).toEqual({})
  })

  it('the farewell of a ticket that was closed before goes to its own number, once (A-TICKET-07)', async () => {
    const { balcao } = scene.connections
    await app.db.updateTable('connection').set({ complationMessage: 'Até logo!' }).where('id', '=', balcao).execute()
    const [caio, iara] = [await customer('oi'), await customer('olá')]
    await close(caio, { sendFarewellMessage: true })
    expect((await merge(caio, iara)).status).toBe(200)
    expect((await app.as(await scene.superUser())('POST', '/sandbox/clock', { advanceMs: 10_000 })).status).toBe(200)
    await eventually(
      () => sentTo(caio),
      (sent) => sent.length > 0,
    )
    await app.settled()
    expect([await sentTo(caio), await sentTo(iara)]).toEqual([['Até logo!'], []])
  })
})
