import { reasonOf } from '#domain/automation/rules.ts'
import type { Finding, HistoryEvent } from '#domain/history/contract.ts'
import { searchable } from '#domain/text/rules.ts'
import { type automationWords, reasonText, type reasonWords } from '#web/automation/words.ts'
import { language, money, type Translate } from '#web/i18n.ts'
import { factWords } from './fact-words.ts'
import type { LoadedHistory } from './records.ts'
import type { historyWords } from './words.ts'

type TranslateFact = Translate<keyof typeof factWords>

/** The event as a sentence with today's names. */
export function sentence({ type, data, by }: HistoryEvent, ticketHistory: LoadedHistory, t: TranslateFact): string {
  const user =
    type !== 'ActionUndone' && typeof data.userId === 'number' ? (ticketHistory.users[data.userId] ?? `#${data.userId}`) : by.name
  const queue = typeof data.queueId === 'number' ? (ticketHistory.queues[data.queueId]?.name ?? `#${data.queueId}`) : '—'
  const lane = typeof data.tagId === 'number' ? (ticketHistory.lanes[data.tagId] ?? `#${data.tagId}`) : '—'
  const named = type === 'TicketTransferred' && data.userId === null ? 'TicketTransferredQueue' : `${type}${variantOf(type, data)}`
  const name = Object.hasOwn(factWords, named) ? named : 'other'
  return t(name as keyof typeof factWords, {
    user,
    by: by.name,
    queue,
    lane,
    amount: typeof data.amount === 'number' ? money(data.amount, language()) : '—',
    emoji: text(data.emoji),
    rule: text(data.rule),
    text: text(data.text),
    rating: typeof data.rating === 'number' ? String(data.rating) : '',
  })
}

/** Reason and rule of an automatic event. */
export function reasoned(
  { type, data }: HistoryEvent,
  t: Translate<keyof typeof automationWords>,
  why: Translate<keyof typeof reasonWords>,
): string | null {
  const reason = reasonOf(type, data)
  return reason && `${reasonText(why, reason)} · ${t('rule', { rule: text(data.rule) })}`
}

const text = (value: unknown) => (typeof value === 'string' ? value : '')
function variantOf(type: string, { mode, answered, reason, rule }: HistoryEvent['data']): string {
  if (type === 'TicketClosed') return reason === 'connectionRemoved' ? 'Gone' : reason === 'ignored' ? 'Unserved' : ''
  if (type === 'TicketReopened') return rule === undefined ? '' : 'Contact'
  if (type === 'ConsentGiven') return answered === false ? 'ByNotice' : ''
  return type === 'TicketAccessed' && typeof mode === 'string' ? mode.charAt(0).toUpperCase() + mode.slice(1) : ''
}

export const actor = ({ kind, name }: HistoryEvent['by'], t: Translate<keyof typeof historyWords>): string =>
  name || t(kind === 'bot' ? 'bot' : kind === 'api' ? 'api' : 'system')

const links: NonNullable<Finding['reason']>[] = ['gap', 'hash', 'mac', 'unsigned', 'empty', 'cut', 'anchor', 'head']
/** Whether the chain itself is broken, so that later records are unproven. Otherwise one record was altered. */
export const broken = (chain: Finding | null): boolean => chain?.reason != null && links.includes(chain.reason)

/** The message or note that an event concerns. */
export const about = ({ data }: HistoryEvent): { message: number | null; note: number | null } => ({
  message:
    (data.messageId as number | undefined) ?? (Array.isArray(data.messageIds) ? (data.messageIds.at(-1) as number) : undefined) ?? null,
  note: (data.noteId as number | undefined) ?? null,
})

/** Whether the sentence, the stored texts or the hash of an event contain the searched text. */
export function matches({ data, hash, id, type }: HistoryEvent, wanted: string, displayText: string): boolean {
  if (wanted.trim() === '') return true
  const written = Object.values(data).filter((value) => typeof value === 'string')
  return searchable([displayText, type, id, hash, ...written].join(' ')).includes(searchable(wanted.trim()))
}
