import type { ConnectionRow } from '#domain/connection/contract.ts'
import { connectionTopic } from '#domain/connection/topic.ts'
import { isCalled } from '#domain/contact/rules.ts'
import { api } from '#web/api.ts'
import { formattedNumber } from '#web/contact/phone.ts'
import { resourceList } from '#web/ui/resourceList.ts'

const byId = (a: ConnectionRow, b: ConnectionRow) => a.id - b.id
export const channelNames: Record<ConnectionRow['channel'], string> = {
  whatsapp: 'WhatsApp',
  whatsappapi: 'WhatsApp API',
  facebook: 'Facebook',
  instagram: 'Instagram',
}
/** Matches the name, the channel and the number, formatted or typed. */
export function findsConnection({ name, channel, number }: Pick<ConnectionRow, 'name' | 'channel' | 'number'>, wanted: string): boolean {
  const searchText = [name, channelNames[channel], number === null ? '' : formattedNumber(number)].join(' ')
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

/** Ways to create a connection here: a linked number, a sandbox phone, or a Cloud API number. */
const newProviders = ['beta', 'sandbox', 'cloud'] as const
export type NewProvider = (typeof newProviders)[number]
export const newProviderOf = (kind: string | null): NewProvider => newProviders.find((one) => one === kind) ?? 'beta'
let known: Promise<string[]> | null = null
/** The providers of this server; they do not change while it runs. */
export const providersHere = (): Promise<string[]> => {
  known ??= api.connections.providers().catch(() => {
    known = null
    return ['beta'] // the next call asks again
  })
  return known
}
