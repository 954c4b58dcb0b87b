import { atom } from 'jotai'
import type { MessageRow } from '#domain/message/contract.ts'
import { api } from '#web/api.ts'
import { createLruCache } from '#web/ui/lru-cache.ts'
import { createRemoteAtom } from '#web/ui/remote-atom.ts'

type Page = { files: MessageRow[]; cursor: string | null }
/** Further pages. `first`: the page that they follow; a reload of it drops them. */
type Further = { first: Page | null; files: MessageRow[]; cursor: string | null; error: unknown }

/** The files of a contact's tickets, newest first, page by page. */
export const filesOf = createLruCache((contactId: number) => {
  const load = (cursor: string | null): Promise<Page> =>
    api.contacts.files({ params: { id: contactId }, query: cursor === null ? {} : { cursor } })
  const first = createRemoteAtom(() => load(null))
  const further = atom<Further>({ first: null, files: [], cursor: null, error: null })
  const shown = atom((get): Further => {
    const loaded = get(first)
    const page = loaded.state === 'ready' ? loaded.value : null
    const more = get(further)
    if (more.first === page && page) return { ...more, files: [...page.files, ...more.files] }
    return { first: page, files: page?.files ?? [], cursor: page?.cursor ?? null, error: null }
  })
  let isLoading = false
  return {
    first,
    files: atom((get) => get(shown).files),
    hasMore: atom((get) => get(shown).cursor !== null),
    error: atom((get) => get(shown).error),
    more: atom(null, async (get, set) => {
      const { first: page, cursor } = get(shown)
      if (!page || cursor === null || isLoading) return
      isLoading = true
      const before = get(further)
      const known = before.first === page ? before.files : []
      try {
        const next = await load(cursor)
        set(further, { first: page, files: [...known, ...next.files], cursor: next.cursor, error: null })
      } catch (error) {
        set(further, { first: page, files: known, cursor, error })
      } finally {
        isLoading = false
      }
    }),
  }
}, 8)
