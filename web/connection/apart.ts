import { atom } from 'jotai'
import { networkName } from '#domain/channel/channels.ts'
import type { ConnectionRow } from '#domain/connection/contract.ts'
import { formattedNumber } from '#web/contact/phone.ts'
import { connectionChoices } from '#web/ticket/choices.ts'

type Distinguished = Pick<ConnectionRow, 'id' | 'name' | 'number' | 'channel'>
/** Adds the number or the channel to rows that share a name. */
export function apart<Row extends Distinguished>(rows: Row[]): Row[] {
  const shared = Map.groupBy(rows, ({ name }) => name.trim().toLowerCase())
  const more = ({ id, number, channel }: Row) => (number === null ? `${networkName(channel)} #${id}` : formattedNumber(number))
  return rows.map((row) =>
    shared.get(row.name.trim().toLowerCase())!.length > 1 ? { ...row, name: `${row.name.trim()} · ${more(row)}` } : row,
  )
}
/** The connections that a user may choose from, with distinct names. */
export const namedConnections = atom((get) => apart(get(connectionChoices.all)))
