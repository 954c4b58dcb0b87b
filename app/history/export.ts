import { Readable } from 'node:stream'
import type { Viewer } from '#domain/access.ts'
import { maskEvent, maskProviderIds } from '#domain/contact/mask.ts'
import type { SigningKey } from '../anchor/signing-key.ts'
import { canonical } from '../event-store/chain.ts'
import { isJsonObject, type Json, type JsonObject, type StoredEvent } from '../event-store/event-store.ts'
import type { ChainPart } from './chains.ts'
import type { ExportedEvent, TicketHistory } from './exported.ts'
import type { Open } from './reading.ts'

/** The events of a part as JSON texts for the file. */
export function exportedTexts({ events, decoded }: ChainPart, { masked }: Pick<Viewer, 'masked'>): string[] {
  return events.map((event, i) => {
    const { revision, id, type, data, meta, withheld } = masked ? withoutNumbers(event) : { ...event, withheld: false }
    const exported: ExportedEvent = {
      ...{ revision: String(revision), id, type, data, meta, ...(withheld && { withheld: true as const }) },
      ...(masked ? withoutMasked(decoded[i]!.open) : decoded[i]!.open),
    }
    return canonical(exported as unknown as Json)
  })
}

/** A signed history file: the canonical JSON text that is signed, with the signature as its last field. */
export function signedFile(sign: SigningKey['sign'], heading: Omit<TicketHistory, 'events' | 'signature'>, events: string[]): Readable {
  const fields = Object.entries(heading)
  const before = fields.filter(([name]) => name < 'events')
  const after = fields.filter(([name]) => name > 'events')
  const text = (chosen: [string, unknown][]) => canonical(Object.fromEntries(chosen) as JsonObject).slice(1, -1)
  const body = [`{${text(before)},"events":[`, ...events.flatMap((event, i) => (i === 0 ? [event] : [',', event])), `],${text(after)}`]
  const signature = sign(`${body.join('')}}`)
  return Readable.from([...body, `,"signature":${JSON.stringify(signature)}}`])
}

/** Removes phone numbers from provider ids. `withheld`: some were removed, so the hash of the event cannot be computed. */
export function withoutNumbers(event: StoredEvent): StoredEvent & { withheld: boolean } {
  const data = isJsonObject(event.data) ? maskProviderIds(event.data) : event.data
  const meta = isJsonObject(event.meta) ? maskProviderIds(event.meta) : event.meta
  return { ...event, data, meta, withheld: data !== event.data || meta !== event.meta }
}
/** Leaves out fields that masking changes, because changed text cannot be proven. */
function withoutMasked({ plain: stored, salts }: Open): Open {
  const plain = maskProviderIds(stored)
  const maskedData = maskEvent(plain)
  const same = ([field]: [string, unknown]) => canonical(maskedData[field]) === canonical(plain[field])
  return {
    plain: Object.fromEntries(Object.entries(plain).filter(same)),
    salts: Object.fromEntries(Object.entries(salts).filter(same)),
  }
}
