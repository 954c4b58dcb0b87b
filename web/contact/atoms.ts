import { atom } from 'jotai'
import { type ContactRow, contactTopic } from '#domain/contact/contract.ts'
import { isCalled, networkOf } from '#domain/contact/rules.ts'
import { api } from '#web/api.ts'
import { createLiveCollection, createLiveCollections } from '#web/live.ts'
import { typed } from '#web/ui/search.ts'
import type { ContactKind, ContactView } from './address.ts'

export type Wanted = ContactView & { search: string }
const kindQuery = { All: {}, People: { isGroup: false }, Groups: { isGroup: true }, Blocked: { active: false } } as const
const isOfKind = ({ isGroup, active }: ContactRow, kind: ContactKind): boolean =>
  Object.entries(kindQuery[kind]).every(([name, value]) => ({ isGroup, active })[name] === value)
const isOfChannel = (row: ContactRow, channel: string) => channel === '' || networkOf(row.channel) === networkOf(channel)
const lastQuery = ({ last, from, to }: ContactView) => {
  if (last === 'never') return { neverContacted: true }
  return last === 'period' ? { ...(from && { lastFrom: from }), ...(to && { lastTo: to }) } : {}
}
/** The filter of the list as a query. */
export const contactQuery = ({ search, ...view }: Wanted) => ({
  ...kindQuery[view.kind],
  ...lastQuery(view),
  ...(search && { searchParam: search }),
  ...(view.channel && { channel: view.channel }),
  ...(view.tagId && { contactTag: JSON.stringify([view.tagId]) }),
})
export const contactLists = createLiveCollections((wanted: Wanted) => {
  const { search, tagId, kind, channel, last } = wanted
  /** A row does not tell when its last message was, so only the server decides which rows belong. */
  const loaded = new Set<number>()
  return createLiveCollection<ContactRow>({
    topic: contactTopic,
    boundsArrivals: true,
    load: async (pageNumber) => {
      const { contacts, hasMore } = await api.contacts.list({ query: { pageNumber, ...contactQuery(wanted) } })
      for (const { id } of contacts) loaded.add(id)
      return { rows: contacts, hasMore }
    },
    belongs: (row) =>
      row.validNumber &&
      isOfKind(row, kind) &&
      isOfChannel(row, channel) &&
      isCalled(row, search) &&
      (last === '' || loaded.has(row.id)) &&
      (tagId === null || row.tags.some(({ id }) => id === tagId)),
  })
})
export const contactSearch = typed()

/** The import dialog of the contacts screen, which the palette opens too. */
export const importOpenAtom = atom(false)
