import { createStore } from 'jotai'
import { expect } from 'vitest'
import { workTopic } from '#domain/bulk-operation/topic.ts'
import { connectionTopic } from '#domain/connection/topic.ts'
import { contactTopic } from '#domain/contact/contract.ts'
import { fileList } from '#domain/file-list/contract.ts'
import { historyTopic } from '#domain/history/contract.ts'
import { failedTopic, messageTopic } from '#domain/message/topic.ts'
import { noteTopic } from '#domain/note/contract.ts'
import { queue } from '#domain/queue/contract.ts'
import { quickReplyTopic } from '#domain/quick-reply/contract.ts'
import { settingTopic } from '#domain/setting/contract.ts'
import { tag } from '#domain/tag/contract.ts'
import { ticketTopic } from '#domain/ticket/topic.ts'
import type { Topic } from '#domain/topic.ts'
import { userTopic } from '#domain/user/topic.ts'
import type { Person } from '#tests/support/seed-companies.ts'
import type { TestApp } from '#tests/support/server.ts'
import type { TestSocket as Wire } from '#tests/support/socket.ts'
import { createLiveCollection } from '#web/live.ts'
import { createLiveConnection, type LiveConnection } from '#web/socket.ts'

/* The client's own lists and its own socket code, one for each topic, over a test socket to the whole app. */
export type ListRow = { id: number } & Record<string, any>
export type KeptList = {
  name: string
  topic: string
  /** The rows of the list, kept current by frames only. */
  rows: () => ListRow[]
  /** The rows of a fresh read. */
  read: () => Promise<ListRow[]>
  /** Its chat left the viewer's sight and was closed. It is read again when it is opened. */
  left: boolean
  line: Wire
}

/** The client's socket; which opens at once. */
function clientOf(line: Wire): LiveConnection & { start: () => void } {
  return createLiveConnection({
    state: () => {},
    soon: (run) => run(),
    open() {
      const mine: ReturnType<Parameters<typeof createLiveConnection>[0]['open']> = {
        readyState: 1,
        ...{ onopen: null, onmessage: null, onclose: null },
        send: (text) => line.say(text as string),
        close: () => line.close(),
      }
      line.socket.on('message', (data: Buffer) => mine.onmessage?.call(mine as WebSocket, { data: data.toString() } as MessageEvent))
      queueMicrotask(() => mine.onopen?.call(mine as WebSocket, {} as Event))
      return mine
    },
  })
}

/** Every list that this person gets live, loaded, with all its rooms joined. */
export async function listsOf(app: TestApp, who: Person): Promise<KeptList[]> {
  const ask = app.as(who)
  const line = await app.socket(who)
  const client = clientOf(line)
  client.start()
  const store = createStore()
  const all = async (path: string, field?: string): Promise<ListRow[]> => {
    const rows: ListRow[] = []
    for (let page = 1; ; page++) {
      const { status, body } = await ask('GET', `${path}${path.includes('?') ? '&' : '?'}${field ? `pageNumber=${page}` : ''}`)
      if (status !== 200) throw new Error(`GET ${path} answered ${status} ${JSON.stringify(body)}`)
      rows.push(...(field ? body[field] : body))
      if (!field || !body.hasMore) return rows
    }
  }
  const list = (
    topic: Topic<any>,
    read: () => Promise<ListRow[]>,
    { of, ...more }: { of?: string; belongs?: (row: ListRow) => boolean; room?: any; as?: (row: ListRow) => ListRow } = {},
  ): KeptList & { end: () => void } => {
    const { as = (row) => row, ...rest } = more
    const one = createLiveCollection<ListRow>({ topic, load: async () => ({ rows: await read(), hasMore: false }), ...rest }, client)
    const end = store.sub(one.all, () => {})
    const rows = () => {
      if (store.get(one.state) !== 'ready') throw new Error(`${store.get(one.state)} ${store.get(one.error)}`)
      return store.get(one.all).map(as)
    }
    return {
      name: `${of ?? topic.name} of ${who}`,
      topic: topic.name,
      rows,
      read: async () => (await read()).map(as),
      left: false,
      line,
      end,
    }
  }
  const tickets = () => all('/tickets?showAll=true&pageSize=100', 'tickets')
  const sighted = await tickets()
  /*
   * A message contains copies of its ticket and contact as they were read. They serve the server's visibility
   * check and the chat's head, so they are left out.
   */
  const chats = sighted.slice(0, 3).map(({ id }) => {
    const mine = ({ ticketId }: ListRow) => ticketId === id
    const read = () => all(`/messages/${id}`, 'messages').then((rows) => rows.filter(mine))
    const as = ({ ticket: _, contact: __, ...row }: ListRow) => row
    const chat = list(messageTopic, read, { of: `chat ${id}`, as, belongs: mine, room: { name: 'ChatBox', data: { ticketId: id } } })
    const notes = list(noteTopic, () => all(`/ticket-notes/list?ticketId=${id}`), {
      ...{ of: `notes of ${id}`, belongs: mine },
      as: ({ ticket: _, companyId: __, ...row }) => row,
    })
    client.subscribe(ticketTopic.name, (frames) => {
      if (!frames.some((frame) => frame.action === 'delete' && frame.id === id)) return
      for (const one of [chat, notes]) {
        one.left = true
        one.end()
      }
    })
    return [chat, notes]
  })
  const audits = who === 'dulce' ? sighted.slice(0, 2) : []
  const histories = audits.map(({ id, uuid }) =>
    list(historyTopic, async () => [{ id, revision: (await ask('GET', `/ticket-history/${uuid}`)).body.revision }], {
      of: `history ${id}`,
      belongs: (row) => row.id === id,
      room: { name: 'History', data: { uuid } },
      as: ({ revision }) => ({ id, revision }),
    }),
  )
  /** The settings with their ids, limited to those that this person may read. */
  const settings = async (): Promise<ListRow[]> => {
    const known = new Map((await all('/settings')).map(({ key, value }) => [key, value]))
    const set = await app.db
      .selectFrom('companySetting')
      .select(['id', 'key'])
      .where('companyId', '=', app.company.companies.casa)
      .execute()
    return set.filter(({ key }) => known.has(key)).map(({ id, key }) => ({ id, key, value: known.get(key) }))
  }
  client.join({ name: 'Tickets', data: { status: '' } })
  const kept = [
    list(ticketTopic, tickets, { as: named }),
    list(contactTopic, () => all('/contacts', 'contacts')),
    list(tag.topic, () => all('/tags', 'tags')),
    list(quickReplyTopic, () => all('/quick-messages', 'records')),
    list(queue.topic, () => all('/queue')),
    list(userTopic, () => all('/users/list')),
    list(connectionTopic, () => all('/whatsapp')),
    list(fileList.topic, () => all('/files', 'files')),
    list(settingTopic, settings, { as: ({ id, key, value }) => ({ id, key, value }) }),
    list(workTopic, () => all('/works')),
    list(failedTopic, () => ask('GET', '/messages/failed').then(({ body }) => body.messages)),
    ...chats.flat(),
    ...histories,
  ]
  await expect.poll(() => kept.map((one) => loading(one)).filter((name) => name !== null)).toEqual([])
  await line.fence() // all rooms are joined
  return kept
}
/**
 * A change shared by many tickets is sent only for open ones, because a list of closed tickets is read again when
 * it opens.
 */
function named(row: ListRow): ListRow {
  if (row.status !== 'closed') return row
  const { user: _, queue: __, whatsapp: ___, tags: ____, contact, ...rest } = row
  return { ...rest, contact: { ...contact, tags: null } }
}
function loading(one: KeptList): string | null {
  try {
    one.rows()
    return null
  } catch (error) {
    return `${one.name}: ${(error as Error).message}`
  }
}
