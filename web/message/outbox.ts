import { atom, type createStore } from 'jotai'
import { atomFamily } from 'jotai-family'
import type { MessageRow } from '#domain/message/contract.ts'
import { type How, Offline, Refused } from '#web/api.ts'

type Store = ReturnType<typeof createStore>
/** A message on its way: it stands in the thread at once, under the id of its command, so that trying again never sends twice. */
export type Sending = {
  key: string
  ticketId: number
  body: string
  quoted: number | null
  isPrivate: boolean
  sign: boolean
  seen: number
  anyway: boolean
  files: File[]
  /** How many it has: after a reload they come from where they are kept. */
  attached: number
  at: string
  state: 'waiting' | 'sending' | 'failed'
  share: number
  error: unknown
}
/** Somebody else answered first: nothing leaves until the agent decides. */
export type Held = { item: Sending; userId: number | null; revision: number }

/** Where the answers begin that the agent had not seen. */
export const unseenSince = ({ item, revision }: Held): number => Math.min(item.seen, revision - 1)

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
  how: How,
) => Promise<{ messages: MessageRow[] }>
type Of = {
  store: Store
  send: Send
  /** The answer takes the place of what was pending. */
  sent: (ticketId: number, rows: MessageRow[]) => void
  held: (held: Held) => void
  /** There is no room for its files: it is given back whole, to be sent without them or later. */
  returned: (item: Sending, error: Refused) => void
  keep?: Keep
}
/** Where what waits outlives the page, under a name of its user: the next one to sign in must not send it. */
type Keep = { storage: Pick<Storage, 'getItem' | 'setItem'>; name: string; files: Cupboard } | null
type Cupboard = { keep: (key: string, files: File[]) => Promise<unknown>; kept: (key: string) => Promise<File[]> }

export const outboxName = (userId: number): string => `outbox-${userId}`

export function outbox({ store, send, sent, held, returned, keep = null }: Of) {
  const all = atom<Sending[]>(kept(keep))
  const ofTicket = atomFamily((ticketId: number) => {
    let last: Sending[] = []
    return atom((get) => {
      const mine = get(all).filter((item) => item.ticketId === ticketId)
      if (mine.length !== last.length || mine.some((item, at) => item !== last[at])) last = mine
      return last
    })
  })
  const busy = new Set<number>()

  const write = (next: Sending[]) => {
    const left = new Set(next.map(({ key }) => key))
    for (const { key, attached } of store.get(all)) if (attached > 0 && !left.has(key)) void keep?.files.keep(key, [])
    store.set(all, next)
    try {
      keep?.storage.setItem(
        keep.name,
        JSON.stringify(next.map(({ files: _, error, ...item }) => ({ ...item, refused: error instanceof Refused ? { ...error } : null }))),
      )
    } catch {
      // a full storage keeps it for this page only
    }
  }
  const change = (key: string, part: Partial<Sending>) =>
    write(store.get(all).map((item) => (item.key === key ? { ...item, ...part } : item)))
  const remove = (key: string) => write(store.get(all).filter((item) => item.key !== key))

  let fetching: Promise<unknown> | null = null
  /** What the page before left here has its files again; without them it does not leave. */
  async function fetchFiles({ key, attached }: Sending): Promise<void> {
    const files = (await keep?.files.kept(key)) ?? []
    change(key, files.length === attached ? { files } : { state: 'failed', error: new Refused('ERR_NO_MEDIA_FOUND', {}, 404) })
  }
  const lacking = () => store.get(all).filter(({ files, attached }) => files.length < attached)
  const fetchAll = () => {
    fetching ??= Promise.all(lacking().map(fetchFiles)).finally(() => {
      fetching = null
    })
    return fetching
  }
  if (lacking().length > 0) void fetchAll()

  /** One at a time and in order within a ticket. */
  async function run(ticketId: number): Promise<void> {
    if (busy.has(ticketId)) return
    busy.add(ticketId)
    try {
      if (lacking().length > 0) await fetchAll()
      for (;;) {
        const item = store.get(all).find((one) => one.ticketId === ticketId && one.state === 'waiting')
        if (!item || !(await attempt(item))) return
      }
    } finally {
      busy.delete(ticketId)
    }
  }
  async function attempt(item: Sending): Promise<boolean> {
    const { key, ticketId, body, quoted, isPrivate, seen, sign, anyway, files } = item
    change(key, { state: 'sending', share: 0 })
    try {
      const { messages } = await send(
        {
          params: { ticketId },
          body: { body, quotedMsg: quoted === null ? null : { id: quoted }, isPrivate, seen, signMessage: sign, ...(anyway && { anyway }) },
        },
        {
          commandId: key,
          ...(files.length > 0 && {
            files: files.map((file) => ({ field: 'medias', file, name: file.name })),
            progress: (share: number) => change(key, { share }),
          }),
        },
      )
      sent(ticketId, messages)
      remove(key)
      return true
    } catch (error) {
      if (error instanceof Offline) {
        change(key, { state: 'waiting', error: null })
        return false
      }
      if (error instanceof Refused && error.code === 'ERR_TICKET_CHANGED') {
        const { userId, revision } = error.detail as { userId?: number | null; revision?: number }
        const waiting = store.get(all).filter((one) => one.ticketId === ticketId && one.state === 'waiting')
        write(store.get(all).filter((one) => one.key !== key && !waiting.includes(one)))
        // What waited behind it was written to the same conversation: it comes back with it.
        const whole = {
          ...item,
          body: [item, ...waiting].map((one) => one.body).join('\n'),
          files: [item, ...waiting].flatMap((one) => one.files),
        }
        held({ item: whole, userId: userId ?? null, revision: revision ?? seen })
        return false
      }
      if (error instanceof Refused && error.code === 'ERR_UPLOAD_QUOTA') {
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
    ofTicket,
    send: (item: Omit<Sending, 'key' | 'at' | 'attached' | 'state' | 'share' | 'error'>): void => {
      const [key, attached] = [crypto.randomUUID(), item.files.length]
      if (attached > 0) void keep?.files.keep(key, item.files)
      write([...store.get(all), { ...item, key, attached, at: new Date().toISOString(), state: 'waiting', share: 0, error: null }])
      void run(item.ticketId)
    },
    /** The same command once more. */
    again: (key: string): void => {
      change(key, { state: 'waiting', error: null })
      const item = store.get(all).find((one) => one.key === key)
      if (item) void run(item.ticketId)
    },
    discard: remove,
    /** The line is back, or may be. */
    wake: (): void => {
      for (const ticketId of new Set(store.get(all).map((item) => item.ticketId))) void run(ticketId)
    },
  }
}

function kept(keep: Keep): Sending[] {
  try {
    const items = JSON.parse(keep?.storage.getItem(keep.name) ?? '[]') as (Omit<Sending, 'files' | 'error'> & {
      refused?: Refused | null
    })[]
    return items.map(({ refused, ...item }) => ({
      ...{ ...item, attached: item.attached ?? 0, files: [], share: 0 },
      ...(item.state === 'failed'
        ? { state: 'failed', error: refused ? new Refused(refused.code, refused.detail, refused.status) : null }
        : { state: 'waiting', error: null }),
    }))
  } catch {
    return []
  }
}

/** What is pending and whose row has not come by its frame yet: the frame may overtake the answer. */
export function unanswered(items: readonly Sending[], rows: readonly MessageRow[], me: number): Sending[] {
  const spent = new Set<number>()
  return items.filter((item) => {
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
