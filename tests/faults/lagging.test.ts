import { afterAll, beforeAll, expect, it } from 'vitest'
import { openProjector } from '#app/roles/projector.ts'
import { openScene, type Scene, type Ticket } from '#tests/http/scene.ts'
import type { Person } from '#tests/support/seed-companies.ts'
import { type Answer, startTestApp, type TestApp } from '#tests/support/server.ts'
import { eventually } from '#tests/support/wait.ts'

/* A call that stored its event succeeds, even if the projector is behind or stopped. */
let app: TestApp
let scene: Scene
let projector: { stop: () => Promise<void> }
const project = () => {
  const leaving = new AbortController()
  const ended = openProjector(app.ctx, leaving.signal)
  return {
    stop: async () => {
      leaving.abort()
      await ended
    },
  }
}
beforeAll(async () => {
  app = await startTestApp({ roles: ['web', 'worker'] })
  projector = project()
  scene = await openScene(app)
})
afterAll(async () => {
  try {
    await app?.stop()
  } finally {
    await projector?.stop()
  }
})

const asked = (who: Person, method: string, path: string, body?: object, commandId: string = crypto.randomUUID()): Promise<Answer> =>
  app.as(who)(method, path, body, { 'x-command-id': commandId })
/** Waits until the projector has reached the end of the log, which grows while the worker runs. */
async function shownAll(): Promise<void> {
  await app.settled()
  await eventually(
    async () => app.ctx.waitForProjection(await app.ctx.readHeadPosition()),
    (reached) => reached,
  )
  await app.settled()
}
const stored = (...ids: (number | null)[]) => ({
  status: 202,
  body: { stored: true, ids: ids.map((id) => id ?? expect.any(Number)), revision: expect.any(Number) },
})
const shown = (answer: Answer) => ({ status: answer.status, body: answer.body })

it('every act succeeds while the projector is stopped, and appears once when it runs again', async () => {
  const { users, queues, contact } = scene
  const [waiting, closed, given, passed, gone, talk, reopened] = (await Promise.all([
    scene.waiting(),
    ...Array.from({ length: 5 }, () => scene.served()),
    scene.served(),
  ])) as [Ticket, Ticket, Ticket, Ticket, Ticket, Ticket, Ticket]
  await asked('ana', 'PUT', `/tickets/${reopened.id}`, { status: 'closed' })
  const [edited, removed, liked] = [await scene.message(talk), await scene.message(talk), await scene.message(talk)]
  const note = await scene.note(talk)
  const person = await contact()
  const forwarded = await scene.served()
  await app.settled()
  await projector.stop()

  const acts: Record<string, [Answer, object]> = {}
  const act = async (name: string, fits: object, ...of: Parameters<typeof asked>) => {
    const answer = await asked(...of)
    acts[name] = [answer, fits]
    return answer
  }
  const sent = crypto.randomUUID()
  const first = await act('send', stored(null), 'ana', 'POST', `/messages/${talk.id}`, { body: 'Já vejo' }, sent)
  const again = await act('send again', stored(null), 'ana', 'POST', `/messages/${talk.id}`, { body: 'Já vejo' }, sent)
  expect(again.body.ids).toEqual(first.body.ids)
  const form = new FormData()
  form.append('body', 'A foto')
  form.append('medias', new Blob(['hello'], { type: 'text/plain' }), 'a.txt')
  await act('send a file', stored(null), 'ana', 'POST', `/messages/${talk.id}`, form)
  await act('edit', stored(edited.id), 'ana', 'PUT', `/messages/${edited.id}`, { body: 'Boa tarde' })
  await act('remove a message', stored(removed.id), 'ana', 'DELETE', `/messages/${removed.id}`)
  await act('react', stored(liked.id), 'ana', 'POST', `/messages/${liked.id}/reactions`, { type: '👍' })
  await act('note', stored(null), 'ana', 'POST', '/ticket-notes', { ticketId: talk.id, note: 'Pediu boleto' })
  await act('remove a note', stored(note.id), 'ana', 'DELETE', `/ticket-notes/${note.id}`)
  await act('forward', { status: 200, body: { sent: true } }, 'ana', 'POST', '/message/forward', {
    messageId: liked.id,
    contactId: forwarded.contactId,
  })
  await act('open the conversation', { status: 200 }, 'admin', 'GET', `/tickets/u/${talk.uuid}`)
  await act('accept', stored(waiting.id), 'ana', 'PUT', `/tickets/${waiting.id}`, { status: 'open', userId: users.ana })
  await act('come second', { status: 409, body: { user: { name: 'ana' } } }, 'admin', 'PUT', `/tickets/${waiting.id}`, { status: 'open' })
  await act('answer what was just accepted', stored(null), 'ana', 'POST', `/messages/${waiting.id}`, { body: 'Bom dia!' })
  await act('close', stored(closed.id), 'ana', 'PUT', `/tickets/${closed.id}`, { status: 'closed' })
  await act('reopen', stored(reopened.id), 'ana', 'PUT', `/tickets/${reopened.id}`, { status: 'open' })
  await act('return', stored(given.id), 'ana', 'PUT', `/tickets/${given.id}`, { status: 'pending' })
  await act('undo', stored(given.id), 'ana', 'POST', `/tickets/${given.id}/undo`, {})
  await act('transfer', stored(passed.id), 'ana', 'PUT', `/tickets/${passed.id}`, {
    isTransfered: true,
    queueId: queues.suporte,
    userId: null,
  })
  await act('delete', stored(gone.id), 'admin', 'DELETE', `/tickets/${gone.id}`)
  const opening = { contactId: person.id, queueId: queues.vendas }
  const name = crypto.randomUUID()
  const opened = await act('open', stored(null), 'ana', 'POST', '/tickets', opening, name)
  expect((await act('open again', stored(null), 'ana', 'POST', '/tickets', opening, name)).body.ids).toEqual(opened.body.ids)
  const [theirs] = opened.body.ids
  await act('open another', { status: 409, body: { ticket: { id: theirs }, user: { name: 'ana' } } }, 'ana', 'POST', '/tickets', opening)
  const tag = await scene.tag()
  await act('tag', { status: 200 }, 'ana', 'POST', '/tags/sync', { contactId: talk.contactId, tags: [{ id: tag.id }] })
  for (const [of, [answer, fits]] of Object.entries(acts)) expect({ of, ...shown(answer) }).toMatchObject({ of, ...fits })

  projector = project()
  await shownAll()
  const ticket = async ({ id }: { id: number }) => {
    const row = await app.db.selectFrom('ticket').select(['status', 'userId', 'queueId']).where('id', '=', id).executeTakeFirst()
    return row ? [row.status, row.userId, row.queueId] : null
  }
  expect(await Promise.all([waiting, closed, reopened, given, passed, gone, { id: theirs }].map(ticket))).toEqual([
    ['open', users.ana, queues.vendas],
    ['closed', users.ana, queues.vendas],
    ['open', users.ana, queues.vendas],
    ['open', users.ana, queues.vendas],
    ['pending', null, queues.suporte],
    null,
    ['open', users.ana, queues.vendas],
  ])
  const { messages } = (await asked('ana', 'GET', `/messages/${talk.id}`)).body
  const said = messages.filter((one: { fromMe: boolean }) => one.fromMe)
  expect(said.map((one: any) => [one.body, one.isDeleted, one.reactions.length])).toEqual([
    ['Boa tarde', false, 0],
    ['Bom dia', true, 0],
    ['Bom dia', false, 1],
    ['Já vejo', false, 0],
    ['A foto', false, 0],
  ])
  expect(messages.map(({ id }: { id: number }) => id)).toContain(first.body.ids[0])
  const notes = (await asked('ana', 'GET', `/ticket-notes/list?ticketId=${talk.id}`)).body
  expect(notes.map((one: { id: number; note: string }) => [one.id === note.id, one.note])).toEqual([[false, 'Pediu boleto']])
})

it('calls trust the read models again once the projector moves', async () => {
  const talk = await scene.served()
  await app.settled()
  await projector.stop()
  const send = async () => (await asked('ana', 'POST', `/messages/${talk.id}`, { body: 'oi' })).status
  expect([await send(), await send()]).toEqual([202, 202])
  projector = project()
  await shownAll()
  expect(await send()).toBe(200)
})
