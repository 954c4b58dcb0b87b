import { atom, type createStore } from 'jotai'
import { atomFamily } from 'jotai-family'
import { isStored } from '#domain/answers.ts'
import type { AcceptedResponse } from '#domain/contract.ts'
import type { MessageRow } from '#domain/message/contract.ts'
import { ApiError, type CallOptions, Offline } from '#web/api.ts'
import { now } from '#web/ui/now.ts'
import { dropUnsent, hasLeft, type KeyValueStorage, putUnsent, type Sending, unsent } from './unsent.ts'

type Store = ReturnType<typeof createStore>
/** Somebody else answered first: nothing leaves until the agent decides. */
export type Overtaken = { item: Sending; userId: number | null; revision: number }

/** Where the answers begin that the agent had not seen. */
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
  /** Makes a file what the channels take, directly before it leaves. */
  prepare?: (file: File) => Promise<File>
  /** The answer takes the place of what was pending. */
  sent: (ticketId: number, rows: MessageRow[]) => void
  overtaken: (overtaken: Overtaken) => void
  /** There is no room for its files: it is given back whole, to be sent without them or later. */
  returned: (item: Sending, error: ApiError) => void
  keep?: Keep
  tabs?: Tabs
}
/** Where what waits outlives the page. */
type Keep = { shelf: KeyValueStorage; userId: number; files: Cupboard } | null
type Cupboard = { keep: (key: string, files: File[]) => Promise<unknown>; kept: (key: string) => Promise<File[]> }
/** The tabs of one browser: which of them an item is from, whether that one still stands, and a turn that one of them has at a time. */
export type Tabs = {
  mine: string
  stands: (tab: string) => Promise<boolean>
  turn: (name: string, work: () => Promise<void>) => Promise<unknown>
}
const alone: Tabs = { mine: '', stands: async () => false, turn: (_, work) => work() }

export function outbox({ store, send, prepare = async (file) => file, sent, overtaken, returned, keep = null, tabs = alone }: Of) {
  const all = atom<Sending[]>(keep ? unsent(keep.shelf, keep.userId) : [])
  const ofTicket = atomFamily((ticketId: number) => {
    let last: Sending[] = []
    return atom((get) => {
      const mine = get(all).filter((item) => item.ticketId === ticketId)
      if (mine.length !== last.length || mine.some((item, at) => item !== last[at])) last = mine
      return last
    })
  })
  const busy = new Set<number>()
  /** What a full storage did not take: it lives as long as this page. */
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
  /** What the page before, or another tab, left here has its files again. */
  async function fetchFiles({ key, attached }: Sending): Promise<boolean> {
    const files = (await keep?.files.kept(key)) ?? []
    if (files.length === attached) change(key, { files })
    return files.length === attached
  }
  const lacking = ({ files, attached }: Sending) => files.length < attached
  const nextOf = (ticketId: number) => store.get(all).find((one) => one.ticketId === ticketId && one.state !== 'failed' && !hasLeft(one))
  /** As the tabs left it: what another one added, sent, or was refused. */
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

  /** One at a time and in order within a ticket, whichever tab they are from. */
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
        // Another tab that stands sends its own: what comes back to be decided on comes back to where it was written.
        if (item.tab !== tabs.mine && (await tabs.stands(item.tab))) return
        if (lacking(item) && !(await fetchFiles(item)))
          change(item.key, { state: 'failed', error: new ApiError('ERR_NO_MEDIA_FOUND', {}, 404) }) // without them it does not leave
        else if (!(await attempt(store.get(all).find(({ key }) => key === item.key) ?? item))) return
      }
    }
    try {
      await tabs.turn(`outbox-${ticketId}`, work)
    } finally {
      busy.delete(ticketId)
    }
    if (done && nextOf(ticketId)) void run(ticketId) // it came while the turn was given back
  }
  async function attempt(item: Sending): Promise<boolean> {
    const { key, ticketId, body, quoted, isPrivate, seen, sign, anyway, files } = item
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
      if (passes(error)) {
        change(key, { state: 'waiting', error: null })
        return false
      }
      if (error instanceof ApiError && error.code === 'ERR_TICKET_CHANGED') {
        const { userId, revision } = error.detail as { userId?: number | null; revision?: number }
        const beside = (one: Sending) => one.ticketId === ticketId && one.tab === item.tab && one.isPrivate === isPrivate
        const behind = store.get(all).filter((one) => one.key !== key && isToGo(one) && beside(one))
        remove(key, ...behind.map((one) => one.key))
        // What stood behind it was written to the same people: it comes back with it, and a note between them goes on.
        const whole = {
          ...item,
          body: [item, ...behind].map((one) => one.body).join('\n'),
          files: [item, ...behind].flatMap((one) => one.files),
        }
        overtaken({ item: whole, userId: userId ?? null, revision: revision ?? seen })
        return true
      }
      if (error instanceof ApiError && error.code === 'ERR_UPLOAD_QUOTA') {
        remove(key)
        returned(item, error)
        return true
      }
      change(key, { state: 'failed', error })
      return true
    }
  }

  return {
    all,
    unsent: atom((get) => get(all).filter((item) => !hasLeft(item))),
    ofTicket,
    send: (item: Omit<Sending, 'key' | 'tab' | 'at' | 'attached' | 'state' | 'stored' | 'share' | 'error'>): void => {
      const [key, attached] = [crypto.randomUUID(), item.files.length]
      if (attached > 0) void keep?.files.keep(key, item.files)
      merge()
      const last = Date.parse(store.get(all).at(-1)?.at ?? '') || 0
      const at = new Date(Math.max(now(), last + 1)).toISOString() // it orders them
      add({ ...item, key, attached, at, tab: tabs.mine, state: 'queued', stored: null, share: 0, error: null })
      void run(item.ticketId)
    },
    /** The same command once more. */
    again: (key: string): void => {
      change(key, { state: 'queued', error: null, tab: tabs.mine })
      const item = store.get(all).find((one) => one.key === key)
      if (item) void run(item.ticketId)
    },
    discard: (key: string): void => remove(key),
    /** Rows of a ticket are shown: what was stored and stands among them has arrived. */
    came: (ticketId: number, rows: readonly MessageRow[]): void => {
      const here = store.get(all).filter((item) => item.ticketId === ticketId && hasArrived(item, rows))
      if (here.length > 0) remove(...here.map(({ key }) => key))
    },
    /** Another tab wrote: what was behind its message may go. */
    heard: (): void => {
      const tickets = new Set(store.get(all).map(({ ticketId }) => ticketId))
      const before = new Map([...tickets].map((ticketId) => [ticketId, nextOf(ticketId)?.key]))
      merge()
      for (const [ticketId, key] of before) {
        const next = nextOf(ticketId)
        if (next?.tab === tabs.mine && next.key !== key) void run(ticketId)
      }
    },
    /** The line is back, or may be. */
    wake: (): void => {
      for (const ticketId of new Set(store.get(all).map((item) => item.ticketId))) void run(ticketId)
    },
  }
}

/** The line or the server is away or has too much to do, or nobody is signed in: it waits, and what is behind it. A 500 may come each time. */
const passes = (error: unknown): boolean =>
  error instanceof Offline || (error instanceof ApiError && ([401, 429].includes(error.status) || error.status > 500))

export const isToGo = ({ state }: Sending): boolean => state === 'queued' || state === 'waiting'

/** Rows come in the order of their ticket: with one behind it, it is there too, on whatever page. */
const hasArrived = ({ stored, ticketId }: Sending, rows: readonly MessageRow[]): boolean =>
  stored !== null && rows.some((row) => stored.ids.includes(row.id) || (row.ticketId === ticketId && row.revision >= stored.revision))

/** What is pending and whose row has not come by its frame yet: the frame may overtake the answer. */
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
        (item.files.length > 0 ? row.mediaUrl !== null && row.createdAt >= item.at : row.body.trim().endsWith(item.body.trim())),
    )
    if (match) spent.add(match.id)
    return !match
  })
}
