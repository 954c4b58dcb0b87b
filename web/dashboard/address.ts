import { type DashboardFilters, type Grouping, groupings } from '#domain/dashboard/contract.ts'
import { today } from '#web/ui/moment.ts'

export const tabs = ['performance', 'assessments', 'attendants', 'breakdown', 'week'] as const
export type Tab = (typeof tabs)[number]
const filterNames = ['queueIds', 'whatsappId', 'users'] as const
export type FilterName = (typeof filterNames)[number]

/** What the address asks for. Without any range it is today; `range=none` was chosen by hand. */
export type Asked = {
  tab: Tab
  by: Grouping
  from: string | undefined
  to: string | undefined
  openHours: boolean
  filters: DashboardFilters
}
const day = (text: string | null) => (text && /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text)) ? text : undefined)
export function askedIn(address: URLSearchParams): Asked {
  const [from, to] = [day(address.get('date_from')), day(address.get('date_to'))]
  const isDefault = from === undefined && to === undefined && address.get('range') !== 'none'
  const chosen = filterNames.flatMap((name) => {
    const list = address.get(name)
    return list && /^\[[1-9]\d{0,8}(,[1-9]\d{0,8})*\]$/.test(list) ? [[name, list] as const] : []
  })
  return {
    tab: tabs.find((one) => one === address.get('tab')) ?? 'performance',
    by: groupings.find((one) => one === address.get('by')) ?? 'queue',
    ...(isDefault ? { from: today(), to: today() } : { from, to }),
    openHours: address.get('openHours') === 'true',
    filters: Object.fromEntries(chosen),
  }
}
/** The address of what is asked, without the defaults. */
export function addressOf({ tab, by, from, to, openHours, filters }: Asked): Record<string, string> {
  const days = from === undefined && to === undefined ? { range: 'none' } : from === today() && to === today() ? {} : daysOf(from, to)
  return {
    ...(tab !== 'performance' && { tab }),
    ...(tab === 'breakdown' && by !== 'queue' && { by }),
    ...days,
    ...(openHours && { openHours: 'true' }),
    ...filters,
  }
}
export const daysOf = (from: string | undefined, to: string | undefined) => ({
  ...(from && { date_from: from }),
  ...(to && { date_to: to }),
})
