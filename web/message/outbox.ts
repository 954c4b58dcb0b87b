import { atom, type createStore } from 'jotai'
import { atomFamily } from 'jotai-family'
import { isStored } from '#domain/answers.ts'
import type { AcceptedResponse } from '#domain/contract.ts'
import type { MessageRow } from '#domain/message/contract.ts'
import { ApiError, type CallOptions, Offline } from '#web/api.ts'
import { now } from '#web/ui/now.ts'
import { dropUnsent, hasLeft, type KeyValueStorage, putUnsent, type Sending, unsent } from './unsent.ts'

type Store = ReturnType<typeof createStore>
/** Messages that return to the draft as one. `captions`: the own caption of each file. */
export type Returned = Sending & { captions: string[] }
export const mergedItem = (items: readonly Sending[]): Returned => ({
  ...items[0]!,
  body: items.flatMap(({ body, isCaption }) => (isCaption || body === '' ? [] : body)).join('\n'),
  files: items.flatMap(({ files }) => files),
  captions: items.flatMap(({ body, files, isCaption }) => files.map(() => (isCaption ? body : ''))),
})
/** A colleague answered first: nothing is sent until the agent decides. */
export type Overtaken = { item: Returned; userId: number | null; revision: number }

/** Revision after which the agent has not seen the colleague's answers. */
export const unseenSince = ({ item, revision }: Overtaken): number => Math.min(item.seen, revision - 1)

export type Send = (
  ask: {
    params: { ticketId: number }
    body: {
      body: string
      quotedMsg: { id: number } | null
      isPrivate: boolean
      seen: number
      signMessage: boolean
      anyway?: boolean
    }
  },
  how: CallOptions,
) => Promise<{ messages: MessageRow[] } | AcceptedResponse>
type Of = {
  store: Store
  send: Send
  /** Converts a file for the channels, directly before it is sent. */
  prepare?: (file: File) => Promise<File>
  /** The stored rows replace the pending message. */
  sent: (ticketId: number, rows: MessageRow[]) => void
  overtaken: (overtaken: Overtaken) => void
  /**
   * The message returns to the draft: its files exceed the storage quota, or the agent cancelled its upload
   * (`error` is null).
   */
  returned: (item: Returned, error: ApiError | null) => void
  keep?: Keep
  tabs?: Tabs
}
/** Storage that outlives the page. */
type Keep = { shelf: KeyValueStorage; userId: number; files: FileStorage } | null
type FileStorage = { keep: (key: string, files: File[]) => Promise<unknown>; kept: (key: string) => Promise<File[]> }
/**
 * The tabs of one browser: the own id, whether another tab is still open, and a lock that one tab holds at a time.
 */
export type Tabs = {
  mine: string
  stands: (tab: string) => Promise<boolean>
  turn: (name: string, work: () => Promise<void>) => Promise<unknown>
}
const unsentItem = { group: null, isCaption: false, state: 'queued', stored: null, share: 0, error: null } as const
const alone: Tabs = { mine: '', stands: async () => false, turn: (_, work) => work() }

export function outbox(of: Of) {
  const { store, keep = null, tabs = alone } = of
  const queue = createQueue(store, keep)
  const { all, add, change, remove, merge, nextOf } = queue
  const ofTicket = atomFamily((ticketId: number) => {
    let last: Sending[] = []
    return atom((get) => {
      const mine = get(all).filter((item) => item.ticketId === ticketId)
      if (mine.length !== last.length || mine.some((item, at) => item !== last[at])) last = mine
      return last
    })
  })
  /** The uploads of this tab that are running. */
  const uploads: Uploads = new Map()
  const run = createRunner(of, queue, tabs, uploads)

  return {
    all,
    ...createCancel(of, queue, uploads),
    unsent: atom((get) => get(all).filter((item) => !hasLeft(item))),
    ofTicket,
    send: (item: NewItem): void => {
      const [key, attached] = [crypto.randomUUID(), item.files.length]
      if (attached > 0) void keep?.files.keep(key, item.files)
      merge()
      const last = Date.parse(store.get(all).at(-1)?.at ?? '') || 0
      const at = new Date(Math.max(now(), last + 1)).toISOString() // orders the messages
      add({ ...unsentItem, ...item, key, attached, at, tab: tabs.mine })
      void run(item.ticketId)
    },
    /** Sends the same command again. */
    again: (key: string): void => {
      change(key, { state: 'queued', error: null, tab: tabs.mine })
      const item = store.get(all).find((one) => one.key === key)
      if (item) void run(item.ticketId)
    },
    discard: (key: string): void => {
      const item = store.get(all).find((one) => one.key === key)
      remove(key)
      if (item) void run(item.ticketId) // the messages that waited for it
    },
    /** Removes stored messages that are among the shown rows. */
    came: (ticketId: number, rows: readonly MessageRow[]): void => {
      const here = store.get(all).filter((item) => item.ticketId === ticketId && hasArrived(item, rows))
      if (here.length > 0) remove(...here.map(({ key }) => key))
    },
    /** Another tab changed the storage, so messages behind its own may be sent. */
    onStorageChange: (): void => {
      const tickets = new Set(store.get(all).map(({ ticketId }) => ticketId))
      const before = new Map([...tickets].map((ticketId) => [ticketId, nextOf(ticketId)?.key]))
      merge()
      for (const [ticketId, key] of before) {
        const next = nextOf(ticketId)
        if (next?.tab === tabs.mine && next.key !== key) void run(ticketId)
      }
    },
    /** Tries again, because the connection may be back. */
    wake: (): void => {
      for (const ticketId of new Set(store.get(all).map((item) => item.ticketId))) void run(ticketId)
    },
  }
}

type NewItem = Omit<Sending, 'key' | 'tab' | 'at' | 'attached' | 'state' | 'stored' | 'share' | 'error' | 'group' | 'isCaption'> &
  Partial<Pick<Sending, 'group' | 'isCaption'>>
type Queue = ReturnType<typeof createQueue>
/** The messages of this browser that are not sent yet, in memory and in the storage that its tabs share. */
function createQueue(store: Of['store'], keep: NonNullable<Of['keep']> | null) {
  const all = atom<Sending[]>(keep ? unsent(keep.shelf, keep.userId) : [])
  /** Messages that a full storage did not accept; they last as long as this page. */
  const loose = new Set<string>()

  const put = (item: Sending) => {
    loose.delete(item.key)
    try {
      if (keep) return putUnsent(keep.shelf, keep.userId, item)
    } catch {
      dropUnsent(keep!.shelf, keep!.userId, item.key)
    }
    loose.add(item.key)
  }
  const add = (item: Sending) => {
    put(item)
    store.set(all, [...store.get(all), item])
  }
  const change = (key: string, part: Partial<Sending>) => {
    const before = store.get(all).find((item) => item.key === key)
    if (!before) return
    const after = { ...before, ...part }
    if (after.state !== before.state || after.error !== before.error) put(after)
    store.set(
      all,
      store.get(all).map((item) => (item === before ? after : item)),
    )
  }
  const remove = (...keys: string[]) => {
    for (const { key, attached } of store.get(all)) {
      if (!keys.includes(key)) continue
      loose.delete(key)
      if (!keep) continue
      dropUnsent(keep.shelf, keep.userId, key)
      if (attached > 0) void keep.files.keep(key, [])
    }
    store.set(
      all,
      store.get(all).filter(({ key }) => !keys.includes(key)),
    )
  }
  /** Reads the files of a message that an earlier page or another tab left. */
  async function fetchFiles({ key, attached }: Sending): Promise<boolean> {
    const files = (await keep?.files.kept(key)) ?? []
    if (files.length === attached) change(key, { files })
    return files.length === attached
  }
  const lacking = ({ files, attached }: Sending) => files.length < attached
  const nextOf = (ticketId: number) => {
    const items = store.get(all).filter((one) => one.ticketId === ticketId)
    return items.find((one) => one.state !== 'failed' && !hasLeft(one) && !isBlocked(one, items))
  }
  /** Reads the storage again: other tabs may have added, sent or failed messages. */
  const merge = () => {
    if (!keep) return
    const known = new Map(store.get(all).map((item) => [item.key, item]))
    const shared = unsent(keep.shelf, keep.userId).map((item) => {
      const mine = known.get(item.key)
      return mine?.state === item.state ? mine : { ...item, files: mine?.files ?? [] }
    })
    store.set(all, [...shared, ...store.get(all).filter(({ key }) => loose.has(key))])
    for (const item of shared) if (lacking(item) && !known.has(item.key)) void fetchFiles(item)
  }
  for (const item of store.get(all)) if (lacking(item)) void fetchFiles(item)

  return { all, add, change, remove, fetchFiles, lacking, nextOf, merge }
}

type Uploads = Map<string, AbortController>
function createCancel({ store }: Pick<Of, 'store'>, { all }: Queue, uploads: Uploads) {
  /** Whether the upload is incomplete, so that the server cannot have sent the message. */
  const isCancellable = ({ key, state, files, share }: Sending): boolean =>
    state === 'sending' && files.length > 0 && share < 1 && uploads.has(key)
  return {
    isCancellable,
    /** Ends an upload: the message and those that belong to it return to the draft. */
    cancel: (key: string): void => {
      const item = store.get(all).find((one) => one.key === key)
      if (item && isCancellable(item)) uploads.get(key)?.abort()
    },
  }
}
function createRunner(of: Of, queue: Queue, tabs: Tabs, uploads: Uploads): (ticketId: number) => Promise<void> {
  const { store } = of
  const { all, change, fetchFiles, lacking, nextOf, merge } = queue
  const attempt = createAttempt(of, queue, uploads)
  const busy = new Set<number>()

  /** Sends the messages of a ticket one at a time and in order, across tabs. */
  async function run(ticketId: number): Promise<void> {
    if (busy.has(ticketId)) return
    busy.add(ticketId)
    let done = false
    const work = async () => {
      for (;;) {
        merge()
        const item = nextOf(ticketId)
        done = !item
        if (!item) return
        // Another open tab sends its own messages, so that a decision returns to where the text was written.
        if (item.tab !== tabs.mine && (await tabs.stands(item.tab))) return
        if (lacking(item) && !(await fetchFiles(item)))
          change(item.key, { state: 'failed', error: new ApiError('ERR_NO_MEDIA_FOUND', {}, 404) }) // it is not sent without its files
        else if (!(await attempt(store.get(all).find(({ key }) => key === item.key) ?? item))) return
      }
    }
    try {
      await tabs.turn(`outbox-${ticketId}`, work)
    } finally {
      busy.delete(ticketId)
    }
    if (done && nextOf(ticketId)) void run(ticketId) // a message was added while the lock was released
  }
  return run
}

function createAttempt(
  { store, send, prepare = async (file) => file, sent, overtaken, returned }: Of,
  { all, change, remove }: Queue,
  uploads: Uploads,
) {
  /** Removes a message with the messages behind it that belong together, and returns them as one. */
  function takeWith(item: Sending, belongs: (one: Sending) => boolean): Returned {
    const behind = store.get(all).filter((one) => one.key !== item.key && isToGo(one) && belongs(one))
    remove(item.key, ...behind.map(({ key }) => key))
    return mergedItem([item, ...behind])
  }
  /** Sends a message once. Returns false if it and those behind it wait. */
  async function attempt(item: Sending): Promise<boolean> {
    const { key, ticketId, body, quoted, isPrivate, seen, sign, anyway, files } = item
    const upload = new AbortController()
    if (files.length > 0) uploads.set(key, upload)
    change(key, { state: 'sending', share: 0 })
    try {
      const medias = files.length === 0 ? [] : await Promise.all(files.map(prepare))
      const answer = await send(
        {
          params: { ticketId },
          body: { body, quotedMsg: quoted === null ? null : { id: quoted }, isPrivate, seen, signMessage: sign, ...(anyway && { anyway }) },
        },
        {
          commandId: key,
          ...(files.length > 0 && {
            files: medias.map((file) => ({ field: 'medias', file, name: file.name })),
            progress: (share: number) => change(key, { share }),
            signal: upload.signal,
          }),
        },
      )
      if (isStored(answer)) change(key, { state: 'stored', stored: { ids: answer.ids, revision: answer.revision } })
      else {
        sent(ticketId, answer.messages)
        remove(key)
      }
      return true
    } catch (error) {
      const withParts = (one: Sending) => one.group !== null && one.group === item.group
      if (upload.signal.aborted) {
        returned(takeWith(item, withParts), null)
        return true
      }
      if (passes(error)) {
        change(key, { state: 'waiting', error: null })
        return false
      }
      if (error instanceof ApiError && error.code === 'ERR_TICKET_CHANGED') {
        const { userId, revision } = error.detail as { userId?: number | null; revision?: number }
        const beside = (one: Sending) => one.ticketId === ticketId && one.tab === item.tab && one.isPrivate === isPrivate
        // The messages behind it had the same readers, so they return to the draft with it. A note between them is
        // sent.
        overtaken({ item: takeWith(item, beside), userId: userId ?? null, revision: revision ?? seen })
        return true
      }
      if (error instanceof ApiError && error.code === 'ERR_UPLOAD_QUOTA') {
        returned(takeWith(item, withParts), error)
        return true
      }
      change(key, { state: 'failed', error })
      return true
    } finally {
      uploads.delete(key)
    }
  }
  return attempt
}

/**
 * No connection, an overloaded server or no session: the message and those behind it wait. A 500 is not retried,
 * because it may recur each time.
 */
const passes = (error: unknown): boolean =>
  error instanceof Offline || (error instanceof ApiError && ([401, 429].includes(error.status) || error.status > 500))

export const isToGo = ({ state }: Sending): boolean => state === 'queued' || state === 'waiting'

/** Whether an earlier part of the same message failed. The order of the files is kept until the agent decides. */
export const isBlocked = ({ group, key }: Sending, items: readonly Sending[]): boolean =>
  group !== null && items.some((one) => one.key !== key && one.group === group && one.state === 'failed')

/** Rows arrive in the order of their ticket, so a later row proves that this one has arrived, on whatever page. */
const hasArrived = ({ stored, ticketId }: Sending, rows: readonly MessageRow[]): boolean =>
  stored !== null && rows.some((row) => stored.ids.includes(row.id) || (row.ticketId === ticketId && row.revision >= stored.revision))

/** The server fills in the variables of a text. */
const isTextOf = ({ body, at }: Sending, row: MessageRow): boolean =>
  row.body.trim().endsWith(body.trim()) || (body.includes('{') && row.createdAt >= at)

/** Pending messages without a row. The live update may arrive before the answer of the call. */
export function unanswered(items: readonly Sending[], rows: readonly MessageRow[], me: number): Sending[] {
  const spent = new Set<number>()
  return items.filter((item) => {
    for (const id of item.stored?.ids ?? []) spent.add(id)
    if (item.state === 'stored') return !hasArrived(item, rows)
    if (item.state !== 'sending') return true
    const match = rows.find(
      (row) =>
        !spent.has(row.id) &&
        row.fromMe &&
        row.user?.id === me &&
        row.revision > item.seen &&
        row.isPrivate === item.isPrivate &&
        (item.files.length > 0 ? row.mediaUrl !== null && row.createdAt >= item.at : isTextOf(item, row)),
    )
    if (match) spent.add(match.id)
    return !match
  })
}
