import { atom } from 'jotai'
import { type DataRequestRow, dataRequests } from '#domain/data-request/contract.ts'
import { api } from '#web/api.ts'
import { ignoreErrors } from '#web/ignore-errors.ts'
import { createRemoteAtom } from '#web/ui/remote-atom.ts'
import { saveFile } from '#web/ui/save-file.ts'

/** Milliseconds between two readings of a running request. */
const every = 1000

/** A request, read again every second while it runs and something shows it. */
export function createRequestAtom(first: DataRequestRow) {
  const now = atom(first)
  const look = atom(null, async (get, set) => {
    if (get(now).state !== 'running') return
    const { requests } = await api.dataRequests.list({ query: { contactId: first.contactId } })
    const found = requests.find(({ id }) => id === first.id)
    if (found) set(now, found)
  })
  const polled = atom(
    (get) => get(now),
    (_, set) => ignoreErrors(set(look), 'the next poll tries again'),
  )
  polled.onMount = (again) => {
    const timer = setInterval(() => void again(), every)
    return () => clearInterval(timer)
  }
  return polled
}

/** The requests of the company, newest first, as many pages as `showMore` has asked for. They are read again while one runs. */
export function createRequestsAtom() {
  let pages = 1
  const loaded = createRemoteAtom(async () => {
    const requests: DataRequestRow[] = []
    let hasMore = true
    for (let pageNumber = 1; pageNumber <= pages && hasMore; pageNumber++) {
      const page = await api.dataRequests.list({ query: { pageNumber } })
      requests.push(...page.requests)
      hasMore = page.hasMore
    }
    return { requests, hasMore }
  })
  const again = atom(null, (get, set) => {
    const now = get(loaded)
    if (now.state === 'ready' && now.value.requests.some(({ state }) => state === 'running')) return set(loaded.reload)
  })
  const list = atom(
    (get) => get(loaded),
    (_, set) => set(again),
  )
  list.onMount = (look) => {
    const timer = setInterval(() => void look(), 2 * every)
    return () => clearInterval(timer)
  }
  const showMore = atom(null, (_, set) => {
    pages++
    return set(loaded.reload)
  })
  return { list, reload: loaded.reload, showMore }
}

/** Saves the receipt of an erasure, or the archive of an export. */
export async function saveResult({ id, kind }: DataRequestRow): Promise<void> {
  const call = kind === 'erasure' ? 'receipt' : 'download'
  const file = await api.dataRequests[call]({ params: { id } }, { received: () => undefined })
  saveFile(dataRequests[call].file.name.replace('.', `-${id}.`), file as Blob)
}
