import { getDefaultStore } from 'jotai'
import { expect, it } from 'vitest'
import type { MessageRow } from '#domain/message/contract.ts'
import { ApiError } from '#web/api.ts'
import { createLiveCollection } from '#web/live.ts'
import type { Page } from '#web/live-rows.ts'
import { bring } from '#web/message/bring.ts'

const line = { subscribe: () => () => {}, join: () => () => {}, onReconnect: () => () => {} }
const thread = (load: (page: number) => Promise<Page<MessageRow>>) =>
  createLiveCollection<MessageRow>({ topic: { name: 'message', field: 'message', sees: () => true }, pageSize: 1, grows: 'up', load }, line)
const page = (id: number) => ({ rows: [{ id } as MessageRow], hasMore: true })

it('loading back to a message stops at a limit, at an error or when it is no longer wanted', async () => {
  const store = getDefaultStore()
  const asked: number[] = []
  let away = false
  const list = thread(async (nth) => {
    asked.push(nth)
    if (away) throw new ApiError('ERR_NO_TICKET_FOUND', {}, 404)
    return page(100 - nth)
  })
  const stay = store.sub(list.ids, () => {})
  await store.set(list.reload)
  expect(await bring(list, 97)).toBe(true)
  expect(await bring(list, 90, { most: 1 })).toBe(false)
  expect(await bring(list, 90, { wanted: () => false })).toBe(false)
  away = true
  const before = asked.length
  expect(await bring(list, 90)).toBe(false)
  expect(asked.length).toBe(before + 1)
  away = false
  expect(await bring(list, 90)).toBe(true)
  stay()
})
