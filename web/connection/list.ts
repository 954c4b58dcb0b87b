import { channels, isProvider, type Provider, providerNames, providers } from '#domain/channel/channels.ts'
import type { ConnectionRow } from '#domain/connection/contract.ts'
import { connectionTopic } from '#domain/connection/topic.ts'
import { isCalled } from '#domain/contact/rules.ts'
import { api } from '#web/api.ts'
import { formattedNumber } from '#web/contact/phone.ts'
import { resourceList } from '#web/ui/resourceList.ts'

const byId = (a: ConnectionRow, b: ConnectionRow) => a.id - b.id
/** Matches the name, the channel and the number, formatted or typed. */
export function findsConnection({ name, channel, number }: Pick<ConnectionRow, 'name' | 'channel' | 'number'>, wanted: string): boolean {
  const searchText = [name, channels[channel].name, number === null ? '' : formattedNumber(number)].join(' ')
  return isCalled({ name: searchText, number: number ?? '' }, wanted)
}
/** The published call returns the whole list without a search, so the search runs here. */
export const connectionList = resourceList<ConnectionRow>(
  { topic: connectionTopic, search: [], finds: findsConnection },
  async ({ searchParam = '' }) => {
    const rows = await api.connections.list({ query: {} })
    return { rows: rows.filter((row) => findsConnection(row, searchParam)).sort(byId), hasMore: false }
  },
  { order: byId },
)

export const usualProvider: Provider = 'beta'
/** The provider of a new connection from a URL. Providers with a login have no form. */
export const newProviderOf = (kind: string | null): Provider =>
  kind !== null && isProvider(kind) && providers[kind].setup !== 'login' ? kind : usualProvider
/** The provider of a company's first connection: simulated only if this server links no phones. */
export const firstProviderOf = (there: string[]): Provider =>
  (!there.includes(usualProvider) && providerNames.find((name) => there.includes(name) && providers[name].simulated)) || usualProvider
let known: Promise<string[]> | null = null
/** The providers of this server; they do not change while it runs. */
export const providersHere = (): Promise<string[]> => {
  known ??= api.connections.providers().catch(() => {
    known = null
    return providerNames.filter((name) => !providers[name].simulated) // the next call asks again
  })
  return known
}
