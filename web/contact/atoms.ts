import { atom } from 'jotai'
import { type ContactRow, contactTopic } from '#domain/contact/contract.ts'
import { isCalled } from '#domain/contact/rules.ts'
import { api } from '#web/api.ts'
import { createLiveCollection, createLiveCollections } from '#web/live.ts'
import { typed } from '#web/ui/search.ts'

export type Wanted = { search: string; tagId: number | null }
/** The filter of the list as a query. */
export const contactQuery = ({ search, tagId }: Wanted) => ({
  ...(search && { searchParam: search }),
  ...(tagId && { contactTag: JSON.stringify([tagId]) }),
})
export const contactLists = createLiveCollections(({ search, tagId }: Wanted) =>
  createLiveCollection<ContactRow>({
    topic: contactTopic,
    load: async (pageNumber) => {
      const { contacts, hasMore } = await api.contacts.list({
        query: { pageNumber, ...contactQuery({ search, tagId }) },
      })
      return { rows: contacts, hasMore }
    },
    belongs: (row) => row.validNumber && isCalled(row, search) && (tagId === null || row.tags.some(({ id }) => id === tagId)),
  }),
)
export const contactSearch = typed()
export const tagFilterAtom = atom<number | null>(null)
