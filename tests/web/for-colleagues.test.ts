import { createStore } from 'jotai'
import { expect, it } from 'vitest'
import { ApiError } from '#web/api.ts'
import { type Overtaken, outbox } from '#web/message/outbox.ts'
import type { Sending } from '#web/message/unsent.ts'

const item = (more: Partial<Pick<Sending, 'body' | 'files' | 'isPrivate'>>) => ({
  ...{ ticketId: 5, uuid: 'c0ffee', to: 'Marta', body: 'oi', quoted: null },
  ...{ isPrivate: false, sign: true, seen: 9, anyway: false, files: [] },
  ...more,
})
const changed = () => Promise.reject(new ApiError('ERR_TICKET_CHANGED', { userId: 8, revision: 12 }, 409))
const full = () => Promise.reject(new ApiError('ERR_UPLOAD_QUOTA', { limit: 1 }, 413))
const soon = () => new Promise((resume) => setTimeout(resume))
function sending(answers: (() => Promise<{ messages: [] }>)[]) {
  const store = createStore()
  const asked: string[] = []
  const back: Overtaken['item'][] = []
  const box = outbox({
    ...{ store, sent: () => {} },
    send: ({ body }) => {
      asked.push(body.body)
      return answers.shift()!()
    },
    overtaken: ({ item: one }) => back.push(one),
    returned: (one) => back.push(one),
  })
  return { box, asked, back, now: () => store.get(box.ofTicket(5)).map(({ body, state }) => `${body} ${state}`) }
}

it('an internal message is not merged into a returned message for the contact', async () => {
  const { box, asked, back, now } = sending([changed, async () => ({ messages: [] })])
  box.send(item({ body: 'um' }))
  box.send(item({ body: 'cliente difícil', isPrivate: true }))
  box.send(item({ body: 'dois' }))
  await soon()
  expect(back).toMatchObject([{ body: 'um\ndois', isPrivate: false }])
  expect([asked, now()]).toEqual([['um', 'cliente difícil'], []])
})
it('a message refused for lack of space returns with its visibility', async () => {
  const { box, back, now } = sending([full, full])
  box.send(item({ body: 'nota', files: [new File(['x'], 'a.txt')], isPrivate: true }))
  await soon()
  box.send(item({ body: 'três', files: [new File(['x'], 'a.txt')] }))
  await soon()
  expect([now(), back.map(({ body, isPrivate }) => `${body} ${isPrivate}`)]).toEqual([[], ['nota true', 'três false']])
})
