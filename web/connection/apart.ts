import { atom } from 'jotai'
import type { ConnectionRow } from '#domain/connection/contract.ts'
import { formattedNumber } from '#web/contact/phone.ts'
import { channelName } from '#web/ticket/Channel.tsx'
import { connectionChoices } from '#web/ticket/choices.ts'

type Distinguished = Pick<ConnectionRow, 'id' | 'name' | 'number' | 'channel'>
/** Two may have one name: they say their number too, or what they are. */
export function apart<Row extends Distinguished>(rows: Row[]): Row[] {
  const shared = Map.groupBy(rows, ({ name }) => name.trim().toLowerCase())
  const more = ({ id, number, channel }: Row) => (number === null ? `${channelName(channel)} #${id}` : formattedNumber(number))
  return rows.map((row) =>
    shared.get(row.name.trim().toLowerCase())!.length > 1 ? { ...row, name: `${row.name.trim()} · ${more(row)}` } : row,
  )
}
/** Those that one may be chosen from. */
export const namedConnections = atom((get) => apart(get(connectionChoices.all)))
