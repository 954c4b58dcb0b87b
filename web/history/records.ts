import { atom } from 'jotai'
import { api } from '#web/api.ts'
import { createRemoteAtom, type Loaded } from '#web/ui/remote-atom.ts'

type Page = Awaited<ReturnType<typeof api.history.show>>
type Walk = Awaited<ReturnType<typeof api.history.chain>>
export type Files = Awaited<ReturnType<typeof api.history.files>>
/**
 * The loaded part of a history. `next` is null when it is complete, `chain` until the chain is verified, `files`
 * until the files are checked. `walkFailed` and `filesFailed` report failures of the checks.
 */
export type LoadedHistory = Omit<Page, 'chain' | 'anchored'> & {
  chain: Walk['chain'] | null
  anchored: Walk['anchored']
  length: number
  walkFailed: boolean
  files: Files | null
  filesFailed: boolean
}

/** The records of one ticket. A long history loads page by page, and the result of the chain loads separately. */
export function records(uuid: string) {
  const first = createRemoteAtom(() => api.history.show({ params: { uuid }, query: {} }))
  const walk = createRemoteAtom(() => api.history.chain({ params: { uuid } }))
  const files = createRemoteAtom(() => api.history.files({ params: { uuid } }))
  const behind = atom<{ first: Page | null; pages: Page[] }>({ first: null, pages: [] })
  const pages = atom((get) => {
    const [now, more] = [get(first), get(behind)]
    return now.state !== 'ready' ? [] : more.first === now.value ? [now.value, ...more.pages] : [now.value]
  })

  const historyAtom = atom((get): Loaded<LoadedHistory> => {
    const now = get(first)
    if (now.state !== 'ready') return now
    const all = get(pages)
    const { users, queues, lanes, next, revision } = all.at(-1)!
    const events = all.flatMap((page) => page.events)
    const mediaUrls = Object.assign({}, ...all.map((page) => page.mediaUrls)) as Page['mediaUrls']
    const walked = now.value.next === null ? null : get(walk)
    const found = walked === null ? { ...now.value, length: events.length } : walked.state === 'ready' ? walked.value : null
    const { chain = null, anchored = null, length = 0 } = found ?? {}
    const walkFailed = walked?.state === 'failed'
    const looked = next === null ? get(files) : null // the file check starts after everything visible has loaded
    return {
      state: 'ready',
      value: {
        ...{ ...now.value, events, mediaUrls, users, queues, lanes, next, revision, chain, anchored, length, walkFailed },
        files: looked?.state === 'ready' ? looked.value : null,
        filesFailed: looked?.state === 'failed',
      },
    }
  })

  let fetching = false
  /** The error that stopped loading; null if none. */
  const stopped = atom<unknown>(null)
  /** Loads further pages, at least up to this record. */
  const follow = atom(null, async (get, set, to: number) => {
    if (fetching) return
    fetching = true
    set(stopped, null)
    try {
      for (;;) {
        const [begin, ...rest] = get(pages)
        if (!begin) return
        const last = rest.at(-1) ?? begin
        const end = [begin, ...rest].findLast((page) => page.events.length > 0)?.events.at(-1)?.revision ?? -1
        if (last.next === null && end >= to) return
        const page = await api.history.show({ params: { uuid }, query: { from: end + 1 } })
        set(behind, { first: begin, pages: [...rest, page] })
        if (page.events.length === 0) return
      }
    } catch (error) {
      set(stopped, error)
    } finally {
      fetching = false
    }
  })
  /** The history may have grown: a short one is loaded and verified again, and new files are checked. */
  const grow = atom(null, async (get, set, to: number) => {
    const [begin] = get(pages)
    if (begin && begin.next !== null) await set(follow, to)
    else if (to > (begin?.events.at(-1)?.revision ?? -1)) await set(first.reload)
    const looked = get(files)
    const named = new Set(get(pages).flatMap(({ mediaUrls }) => Object.keys(mediaUrls)))
    if (looked.state === 'ready' && named.size > looked.value.files) await set(files.reload)
  })
  return { historyAtom, reload: first.reload, walkAgain: walk.reload, lookAgain: files.reload, follow, stopped, grow }
}
