import { type BinaryNode, getAllBinaryNodeChildren, getBinaryNodeChild } from '@whiskeysockets/baileys'
import type { InboundDeps, InboundReader } from './inbound-reader.ts'
import { idsWithNumber } from './numbers.ts'
import { markIn, momentOf, unread, unsupportedMessage } from './parse-inbound.ts'

/** Receives the caller, so that the call can be rejected. */
export type CallListener = (callId: string, from: string) => void
export type StanzaJournal = ReturnType<typeof createStanzaJournal>

/** Journals stanzas that need no decryption: receipts, calls, and messages without readable content. */
export function createStanzaJournal(
  { account, connection, sources, numbers }: Omit<InboundDeps, 'reportPermanent'>,
  { aboutIn, entryOf }: Pick<InboundReader, 'aboutIn' | 'entryOf'>,
) {
  const { id: connectionId, companyId } = connection

  /** Journals a placeholder for a message that cannot be decrypted, to keep its place. Returns whether the message was journalled before. */
  async function addPlaceholder(stanza: BinaryNode): Promise<boolean> {
    const about = await aboutIn(stanza)
    if (about && (await account.hasTaken(about.id))) return true
    if (about && !about.fromMe) await account.journalled(async ({ entries }) => void entries.push(entryOf(about, unread(about))))
    return false
  }

  /** Journals a message that arrives without content. The client requests the content from the phone, if the phone may share it. */
  async function addWithoutContent(stanza: BinaryNode): Promise<void> {
    if (stanza.tag !== 'message' || getBinaryNodeChild(stanza, 'enc')) return
    const { type = '' } = getBinaryNodeChild(stanza, 'unavailable')?.attrs ?? {}
    if (type === '') return void (await addPlaceholder(stanza))
    const about = type === 'bot_unavailable_fanout' ? null : await aboutIn(stanza)
    if (about) await account.journalled(async ({ entries }) => void entries.push(entryOf(about, unsupportedMessage(about))))
  }

  /** Journals a delivery receipt before it is confirmed, from the raw stanza, because Baileys merges receipts. */
  async function addReceipt(receipt: BinaryNode): Promise<void> {
    const receiptMark = markIn(receipt)
    if (!receiptMark) return
    const { externalId, ...mark } = receiptMark
    const to = await idsWithNumber([receipt.attrs.from], numbers)
    const payload = { type: 'receipt' as const, ...mark, to, at: momentOf(receipt.attrs.t, sources) }
    const entry = { companyId, connectionId, externalId, conversation: to[0]?.id ?? '', payload }
    await account.journalled(async ({ entries }) => void entries.push(entry))
  }

  /** Journals a call before it is confirmed. Group calls are ignored. */
  async function addCall(stanza: BinaryNode, onCall: CallListener): Promise<void> {
    const [offer] = getAllBinaryNodeChildren(stanza)
    if (stanza.tag !== 'call' || !offer?.tag.startsWith('offer')) return
    const { 'call-id': id, 'call-creator': creator, from = creator, caller_pn, type, 'group-jid': group } = offer.attrs
    if (!id || !from || type === 'group' || group) return
    const callerIds = await idsWithNumber([from, caller_pn], numbers)
    const video = getBinaryNodeChild(offer, 'video') !== undefined
    const payload = { type: 'call' as const, externalId: id, from: callerIds, name: '', video, at: momentOf(stanza.attrs.t, sources) }
    onCall(id, from)
    const entry = { companyId, connectionId, externalId: id, conversation: callerIds[0]?.id ?? id, payload }
    await account.journalled(async ({ entries }) => void entries.push(entry))
  }

  return { addPlaceholder, addWithoutContent, addReceipt, addCall }
}
