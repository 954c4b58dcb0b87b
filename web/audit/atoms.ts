import { type AuditFilter, type AuditRow, isAudited } from '#domain/audit/contract.ts'
import { type Topic, topic } from '#domain/topic.ts'
import { api } from '#web/api.ts'
import { createLiveCollection, createLiveCollections } from '#web/live.ts'

export type Filter = Omit<AuditFilter, 'pageNumber'>
export const filterNames = ['list', 'rowId', 'userId', 'from', 'to'] as const satisfies (keyof Filter)[]

/** The filters in the address. Values that the call would refuse are left out. */
export function filterOf(query: URLSearchParams): Filter {
  const [list, from, to] = [query.get('list'), query.get('from'), query.get('to')]
  const id = (name: 'rowId' | 'userId') => (/^[1-9]\d{0,8}$/.test(query.get(name) ?? '') ? { [name]: Number(query.get(name)) } : {})
  return {
    ...(list !== null && isAudited(list) && { list, ...id('rowId') }),
    ...id('userId'),
    ...(isDay(from) && { from }),
    ...(isDay(to) && { to }),
  }
}
/** The ignored filters of the address, because without them the list is wider than its author meant. */
export const ignoredOf = (query: URLSearchParams): string[] => {
  const taken = filterOf(query)
  return filterNames.filter((name) => Boolean(query.get(name)) && !(name in taken)).map((name) => `${name}=${query.get(name)}`.slice(0, 60))
}
const isDay = (text: string | null): text is string =>
  text !== null && /^\d{4}-\d\d-\d\d$/.test(text) && new Date(`${text}T00:00:00Z`).toJSON()?.startsWith(text) === true

/* No live update changes this list while somebody reads it. */
const still: Topic<AuditRow> = topic('audit', 'change', () => false)
/** The key is the filter as JSON. */
export const changesOf = createLiveCollections((key: string) =>
  createLiveCollection<AuditRow>({
    topic: still,
    load: async (pageNumber) => {
      const { changes, hasMore } = await api.audits.list({ query: { ...(JSON.parse(key) as Filter), pageNumber } })
      return { rows: changes, hasMore }
    },
  }),
)
