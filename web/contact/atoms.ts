import { atom } from 'jotai'
import { type ContactRow, contactTopic } from '#domain/contact/contract.ts'
import { isCalled } from '#domain/contact/rules.ts'
import { api } from '#web/api.ts'
import { createLiveCollection, createLiveCollections } from '#web/live.ts'
import { typed } from '#web/ui/search.ts'

export const contactKinds = ['All', 'People', 'Groups', 'Blocked'] as const
export type ContactKind = (typeof contactKinds)[number]
export type Wanted = { search: string; tagId: number | null; kind: ContactKind }
const kindQuery = { All: {}, People: { isGroup: false }, Groups: { isGroup: true }, Blocked: { active: false } } as const
const isOfKind = ({ isGroup, active }: ContactRow, kind: ContactKind): boolean =>
  Object.entries(kindQuery[kind]).every(([name, value]) => ({ isGroup, active })[name] === value)
/** The filter of the list as a query. */
export const contactQuery = ({ search, tagId, kind }: Wanted) => ({
  ...kindQuery[kind],
  ...(search && { searchParam: search }),
  ...(tagId && { contactTag: JSON.stringify([tagId]) }),
})
export const contactLists = createLiveCollections(({ search, tagId, kind }: Wanted) =>
  createLiveCollection<ContactRow>({
    topic: contactTopic,
    load: async (pageNumber) => {
      const { contacts, hasMore } = await api.contacts.list({
        query: { pageNumber, ...contactQuery({ search, tagId, kind }) },
      })
      return { rows: contacts, hasMore }
    },
    belongs: (row) =>
      row.validNumber && isOfKind(row, kind) && isCalled(row, search) && (tagId === null || row.tags.some(({ id }) => id === tagId)),
  }),
)
export const contactSearch = typed()
export const tagFilterAtom = atom<number | null>(null)
export const kindFilterAtom = atom<ContactKind>('All')
