import { randomUUID } from 'node:crypto'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { textIn } from '#domain/flow/texts.ts'
import { customerLanguageOf } from '#domain/setting/contract.ts'
import { beginning } from '#domain/text/rules.ts'
import { firstCards } from '#domain/vcard/rules.ts'
import type { InboundEvent, LeasedConnection } from '../channels/channel.ts'
import type { AppContext } from '../context.ts'
import { settingsOf } from '../setting/read.ts'
import type { StoredFile } from '../storage/media.ts'
import type { InboundAttempt } from './delivery-receipts.ts'
import { type Claims, type Deps, handleInboundEvent } from './handle-inbound-event.ts'
import { countUnknownKind } from './unknown-kinds.ts'

/** Bytes of a text in an event. Sealing adds a third; names, a quote and the other fields use the rest of the limit. */
const mostTextBytes = 32 * 1024

type Message = Extract<InboundEvent, { type: 'message' }>
type Storing = Pick<AppContext, 'db' | 'media' | 'uploadDir'>

/** Hands an inbound event to its ticket, with texts and cards cut to the size limit of an event. */
export async function handleWithinSizeLimit(
  leased: LeasedConnection,
  claims: Claims,
  attempt: InboundAttempt,
  event: InboundEvent,
  deps: Deps & Storing,
): Promise<void> {
  const { companyId } = leased.connection
  if (event.type === 'edit')
    return handleInboundEvent(leased, claims, attempt, { ...event, ...(await cutText(companyId, event.body, deps)) }, deps)
  if (event.type !== 'message') return handleInboundEvent(leased, claims, attempt, event, deps)
  await handleInboundEvent(leased, claims, attempt, await fitting(companyId, event, deps), deps)
  countUnknownKind(leased.connection.provider, event.about, deps.logger)
  if (event.media && isLarge(event.body)) {
    const textMessage = { ...event, externalId: `${event.externalId}:text`, kind: 'chat' as const, media: null, vCard: null }
    await handleInboundEvent(
      leased,
      claims,
      { ...attempt, externalId: textMessage.externalId },
      { ...textMessage, ...(await cutText(companyId, event.body, deps)) },
      deps,
    )
  }
}

/**
 * A text or contact cards over the size limit of an event are stored as a file, and the event holds the beginning (A-INBOUND-01). A long
 * caption is cut, and its full text becomes a message of its own.
 */
export async function fitting<M extends Message>(companyId: number, message: M, deps: Storing): Promise<M> {
  const { body, vCard, media } = message
  if (vCard !== null && isLarge(vCard)) {
    const { media: cards, hold } = await stored(companyId, vCard, 'cardsFile', deps)
    return { ...message, vCard: firstCards(vCard, mostTextBytes / 4), media: cards, hold } // a character has at most four bytes
  }
  if (media) return isLarge(body) ? { ...message, body: beginning(body, mostTextBytes) } : message
  return { ...message, ...(await cutText(companyId, body, deps)) }
}

const isLarge = (text: string): boolean => text.length > mostTextBytes / 4 && Buffer.byteLength(text) > mostTextBytes

async function cutText(companyId: number, body: string, deps: Storing): Promise<Partial<StoredFile> & { body: string }> {
  if (!isLarge(body)) return { body }
  const { media, hold } = await stored(companyId, body, 'textFile', deps)
  return { body: beginning(body, mostTextBytes), media, hold }
}

async function stored(
  companyId: number,
  text: string,
  called: 'cardsFile' | 'textFile',
  { db, media, uploadDir }: Storing,
): Promise<StoredFile> {
  const name = textIn(customerLanguageOf(await settingsOf(db, companyId)), called)
  await mkdir(uploadDir, { recursive: true })
  const at = path.join(uploadDir, randomUUID())
  try {
    await writeFile(at, text)
    return await media.store(companyId, { field: 'medias', name, path: at, size: Buffer.byteLength(text), claims: '' }, 'customer')
  } finally {
    await rm(at, { force: true })
  }
}
