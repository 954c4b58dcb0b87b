import { api } from '#web/api.ts'
import { createLruCache } from '#web/ui/lru-cache.ts'
import { createRemoteAtom } from '#web/ui/remote-atom.ts'

/** The ids and merges of a contact. */
export const overviewOf = createLruCache((id: number) => createRemoteAtom(() => api.contacts.overview({ params: { id } })), 8)
/** Contacts that are proposed to be merged with it. */
export const similarTo = createLruCache((id: number) => createRemoteAtom(() => api.contacts.similar({ params: { id } })), 8)
