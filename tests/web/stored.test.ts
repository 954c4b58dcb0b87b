import { createStore } from 'jotai'
import { expect, it } from 'vitest'
import type { MessageRow } from '#domain/message/contract.ts'
import { outbox, unanswered } from '#web/message/outbox.ts'

const row = (id: number, revision: number) =>
  ({ id, ticketId: 5, body: 'oi', fromMe: true, user: { id: 7, name: 'Ana' }, isPrivate: false, mediaUrl: null, revision }) as MessageRow
const item = (body: string) => ({
  ...{ ticketId: 5, uuid: 'c0ffee', to: 'Marta', body, quoted: null },
  ...{ isPrivate: false, sign: true, seen: 9, anyway: false, files: [] },
})
const soon = () => new Promise((resume) => setTimeout(resume))

it('a stored message counts as sent until its row arrives, and later ones are sent at once', async () => {
  const store = createStore()
  const asked: string[] = []
  const box = outbox({
    store,
    send: async ({ body }) => {
      asked.push(body.body)
      return body.body === 'um' ? { stored: true, ids: [8], revision: 12 } : { messages: [row(2, 13)] }
    },
    ...{ sent: () => {}, overtaken: () => {}, returned: () => {} },
  })
  const now = () => store.get(box.ofTicket(5))
  box.send(item('um'))
  box.send(item('dois'))
  await soon()
  box.wake()
  await soon()
  expect([now().map(({ body, state }) => [body, state]), asked]).toEqual([[['um', 'stored']], ['um', 'dois']])
  expect(store.get(box.unsent)).toEqual([])
  box.came(5, [row(7, 11)])
  expect(now()).toHaveLength(1)
  expect(unanswered(now(), [row(7, 11)], 7)).toHaveLength(1)
  expect(unanswered(now(), [row(8, 12)], 7)).toHaveLength(0)
  box.came(5, [row(9, 13)])
  expect(now()).toEqual([])
})
