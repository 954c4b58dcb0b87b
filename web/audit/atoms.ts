import { type AuditFilter, type AuditRow, isAudited } from '#domain/audit/contract.ts'
import { type Topic, topic } from '#domain/topic.ts'
import { api } from '#web/api.ts'
import { createLiveCollection, createLiveCollections } from '#web/live.ts'

export type Filter = Omit<AuditFilter, 'pageNumber'>
export const filterNames = ['list', 'rowId', 'userId', 'from', 'to'] as const satisfies (keyof Filter)[]

/** What an address asks for; what no call would take is left out. */
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
/** What an address asks for that no call would take: the list is wider than who wrote it meant. */
export const ignoredOf = (query: URLSearchParams): string[] => {
  const taken = filterOf(query)
  return filterNames.filter((name) => Boolean(query.get(name)) && !(name in taken)).map((name) => `${name}=${query.get(name)}`.slice(0, 60))
}
const isDay = (text: string | null): text is string =>
  text !== null && /^\d{4}-\d\d-\d\d$/.test(text) && new Date(`${text}T00:00:00Z`).toJSON()?.startsWith(text) === true

/* Nothing moves while one reads: no frame ever tells of this list. */
const still: Topic<AuditRow> = topic('audit', 'change', () => false)
/** By its filter as JSON. */
export const changesOf = createLiveCollections((key: string) =>
  createLiveCollection<AuditRow>({
    topic: still,
    load: async (pageNumber) => {
      const { changes, hasMore } = await api.audits.list({ query: { ...(JSON.parse(key) as Filter), pageNumber } })
      return { rows: changes, hasMore }
    },
  }),
)
