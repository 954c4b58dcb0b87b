import { searchable } from '#domain/text/rules.ts'
import type { Topic } from '#domain/topic.ts'
import { createLiveCollection, createLiveCollections } from '#web/live.ts'
import type { CollectionOf, Page } from '#web/live-rows.ts'
import { typed } from './search.ts'

type Query = { pageNumber: number; searchParam?: string }
/**
 * The rows of a simple list: one live collection per search text. Create it once, beside its screen. `finds`:
 * matches more than the columns.
 */
export function resourceList<R extends { id: number }>(
  of: { topic: Topic<R>; search: (keyof R & string)[]; finds?: (row: R, wanted: string) => boolean },
  load: (query: Query) => Promise<Page<R>>,
  more: Partial<CollectionOf<R>> = {},
) {
  const says = (row: R, wanted: string) => of.search.some((field) => searchable(String(row[field] ?? '')).includes(searchable(wanted)))
  const found = of.finds ?? says
  const lists = createLiveCollections((searchParam: string) =>
    createLiveCollection<R>({
      topic: of.topic,
      load: (pageNumber) => load({ pageNumber, ...(searchParam && { searchParam }) }),
      boundsArrivals: true,
      ...more,
      belongs: (row) => found(row, searchParam) && (more.belongs?.(row) ?? true),
    }),
  )
  return { lists, search: typed() }
}
