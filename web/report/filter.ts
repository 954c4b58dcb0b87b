import {
  pageSizes,
  type ReportFilter,
  reportStatuses,
  type Sortable,
  sortable,
  type TargetResult,
  targetResults,
} from '#domain/report/contract.ts'
import { lastDayFrom, monthBegins, today } from '#web/ui/moment.ts'

export const idLists = ['queueIds', 'users', 'whatsappId', 'tags'] as const
export type IdListName = (typeof idLists)[number]
/** What the report shows, as its address names it. */
export type ReportView = Record<IdListName, number[]> & {
  searchParam: string
  contactId: number | undefined
  status: string[]
  dateFrom: string
  dateTo: string
  dateField: 'createdAt' | 'closedAt'
  onlyRated: boolean
  imported: boolean
  counted: boolean
  /** Of the tickets created in the period, those that the target for the first answer counts. */
  target: TargetResult | undefined
  /** The hour of the week from 0 (Monday, midnight to one) to 167. */
  weekHour: number | undefined
  openHours: boolean
  sort: Sortable
  direction: 'asc' | 'desc'
  page: number
  pageSize: number
}
/** This month until today, newest first (R-REPORT-01). */
export const firstView = (): ReportView => ({
  ...{
    queueIds: [],
    users: [],
    whatsappId: [],
    tags: [],
    status: [],
    searchParam: '',
    contactId: undefined,
    weekHour: undefined,
    target: undefined,
  },
  ...{
    dateFrom: monthBegins(),
    dateTo: today(),
    dateField: 'createdAt',
    onlyRated: false,
    imported: false,
    counted: false,
    openHours: false,
  },
  ...{ sort: 'createdAt', direction: 'desc', page: 1, pageSize: 10 },
})

const day = /^\d{4}-\d\d-\d\d$/
const oneOf = <T extends string>(value: string | null, among: readonly T[], otherwise: T): T =>
  among.find((one) => one === value) ?? otherwise
const listIn = (query: URLSearchParams, name: string) => (query.get(name) ?? '').split(',').filter(Boolean)
const number = (text: string | null) => (text !== null && /^\d{1,9}$/.test(text) ? Number(text) : undefined)
const hourIn = (text: string | null) => [number(text)].find((hour) => hour !== undefined && hour < 168)
const dayIn = (text: string | null) => (text !== null && day.test(text) ? text : undefined)

/** Reads the address; what it does not name is as in the first view. */
export function viewOf(query: URLSearchParams): ReportView {
  const first = firstView()
  const dates = [dayIn(query.get('dateFrom')), dayIn(query.get('dateTo'))] as const
  const ids = (name: IdListName) => listIn(query, name).flatMap((one) => number(one) ?? [])
  return {
    ...{ queueIds: ids('queueIds'), users: ids('users'), whatsappId: ids('whatsappId'), tags: ids('tags') },
    status: listIn(query, 'status').filter((one) => reportStatuses.some((known) => known === one)),
    searchParam: (query.get('searchParam') ?? '').slice(0, 200),
    contactId: number(query.get('contactId')),
    weekHour: hourIn(query.get('weekHour')),
    target: targetResults.find((one) => one === query.get('target')),
    dateFrom: dates[0] ?? (dates[1] === undefined ? first.dateFrom : `${dates[1].slice(0, 7)}-01`),
    dateTo: dates[1] ?? lastDayFrom(dates[0]),
    dateField: oneOf(query.get('dateField'), ['createdAt', 'closedAt'], 'createdAt'),
    ...{
      onlyRated: query.get('onlyRated') === 'true',
      imported: query.get('imported') === 'true',
      counted: query.get('counted') === 'true',
      openHours: query.get('openHours') === 'true',
    },
    sort: oneOf(query.get('sort'), sortable, first.sort),
    direction: oneOf(query.get('direction'), ['asc', 'desc'], first.direction),
    page: Math.max(1, number(query.get('page')) ?? 1),
    pageSize: pageSizes.find((size) => size === number(query.get('pageSize'))) ?? first.pageSize,
  }
}

/** The address of a view, without what is as in the first one. */
export function addressOf(view: ReportView): URLSearchParams {
  const first = firstView()
  const texts = (value: unknown) => (Array.isArray(value) ? value.join(',') : String(value))
  const changed = (Object.keys(first) as (keyof ReportView)[]).filter((name) => texts(view[name] ?? '') !== texts(first[name] ?? ''))
  const query = new URLSearchParams(changed.map((name) => [name, texts(view[name])]))
  if (query.has('dateFrom') || query.has('dateTo')) {
    query.set('dateFrom', view.dateFrom) // both, so that a shared address keeps its days
    query.set('dateTo', view.dateTo)
  }
  return query
}
export const isNarrowed = (view: ReportView): boolean => {
  const { sort, direction, page, pageSize, ...filters } = firstView()
  return addressOf({ ...view, sort, direction, page, pageSize }).size > 0 || filters.searchParam !== view.searchParam
}

/** The query of the API for the list and for its export. */
export function filterOf(view: ReportView): ReportFilter {
  const {
    dateFrom,
    dateTo,
    dateField,
    sort,
    direction,
    contactId,
    onlyRated,
    imported,
    counted,
    target,
    weekHour,
    openHours,
    searchParam,
  } = view
  const lists = idLists.filter((name) => view[name].length > 0).map((name) => [name, JSON.stringify(view[name])])
  return {
    ...{ dateFrom, dateTo, dateField, sort, direction },
    ...(searchParam.trim() !== '' && { searchParam: searchParam.trim() }),
    ...(contactId !== undefined && { contactId }),
    ...(view.status.length > 0 && { status: JSON.stringify(view.status) }),
    ...(onlyRated && { onlyRated }),
    ...(imported && { imported }),
    ...(counted && { counted }),
    ...(target && { target }),
    ...(weekHour !== undefined && { weekHour }),
    ...(openHours && { openHours }),
    ...Object.fromEntries(lists),
  }
}
