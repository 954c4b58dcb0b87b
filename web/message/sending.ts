import { atom } from 'jotai'
import { atomFamily } from 'jotai-family'
import type { TicketRow } from '#domain/ticket/contract.ts'
import { ApiError, api } from '#web/api.ts'
import { translate } from '#web/i18n.ts'
import { settingsAtom, store, viewer } from '#web/session.ts'
import { connectionAtom, live } from '#web/socket.ts'
import { now } from '#web/ui/now.ts'
import { failure, toastUndo } from '#web/ui/toaster.ts'
import { uiWords } from '#web/ui/words.ts'
import { endAtom, messagesPage, threadOf } from './atoms.ts'
import { keepAttachments, keepFiles, keptAttachments, keptFiles, outgoing } from './composer/cupboard.ts'
import { attachmentOf, blank, boxOf, type Mode, modeFor, waiting } from './composer/drafts.ts'
import { draftNow, draftOf, modeOf } from './composer/early.ts'
import { noticesOf } from './composer/Notices.tsx'
import { asNote } from './composer/note.ts'
import { partsOf } from './composer/parts.ts'
import { signAtom } from './composer/sign.ts'
import { delayedMessages, undeliveredAtom } from './delayed-messages.ts'
import { mergedItem, type Overtaken, outbox, type Returned } from './outbox.ts'
import { tabs } from './tabs.ts'
import { hasLeft, isUnsent, type Sending } from './unsent.ts'
import { messageWords } from './words.ts'

/** The signed-in user; another user starts with a new page. */
const me = viewer().id
const filesChannel = typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel(`files-${me}`)
const filesIn = waiting({ keep: keepAttachments, kept: keptAttachments }, me, filesChannel)
export const filesOf = (ticketId: number, mode: Mode) => filesIn(boxOf(ticketId, mode))
export const overtakenOf = atomFamily((_: number) => atom<Overtaken | null>(null))

/** The keys of messages that returned to their draft instead of being sent. */
export const returnedKeys = new Set<string>()

export const out = outbox({
  store,
  send: api.messages.send,
  prepare: asNote,
  sent: (ticketId, rows) =>
    store.set(
      threadOf(ticketId).apply,
      rows.map((row) => ({ op: 'put', row })),
    ),
  overtaken: (overtaken) => {
    const { ticketId, key } = overtaken.item
    returnedKeys.add(key)
    intoDraft(overtaken.item)
    store.set(overtakenOf(ticketId), overtaken)
    void store.set(threadOf(ticketId).reload) // the colleague's answer must be on screen even without a socket
  },
  keep: {
    ...{ shelf: localStorage, userId: me },
    files: { keep: (key, files) => keepFiles(me, outgoing(key), files), kept: (key) => keptFiles(me, outgoing(key)) },
  },
  tabs,
  returned: (item, error) => {
    returnedKeys.add(item.key)
    intoDraft(item)
    if (error === null) return showDraft(item)
    const text = failure(error)
    store.set(noticesOf(item.ticketId), (now) => [...now.filter((other) => other.text !== text), { text }])
  },
})

type Written = Pick<Returned, 'ticketId' | 'uuid' | 'to' | 'body' | 'quoted' | 'isPrivate' | 'files' | 'captions'>
/** Returns an unsent message to the composer, before the present draft for the same readers. */
export function intoDraft({ ticketId, uuid, to, body, quoted, isPrivate, files, captions }: Written): void {
  const mode = modeFor(isPrivate)
  const draft = draftNow(uuid, mode)
  const whole = [body, draft.body].filter(Boolean).join('\n')
  const attachments = files.map((file) => attachmentOf(file))
  const returned = Object.fromEntries(attachments.map(({ id }, at) => [id, captions[at] ?? '']).filter(([, caption]) => caption !== ''))
  store.set(draftOf(uuid, mode), {
    ...{ to, ticketId, body: whole, quoted: quoted ?? draft.quoted },
    captions: { ...returned, ...draft.captions },
  })
  if (files.length > 0) store.set(filesOf(ticketId, mode), (now) => [...attachments, ...now])
}
/** Returns an undelivered message to its draft, to change the text or remove the refused file. */
export function takeBack(item: Sending): void {
  intoDraft(mergedItem([item]))
  out.discard(item.key)
  showDraft(item)
}
/** Shows the draft to which a message returned, if its ticket is open on the screen. */
function showDraft({ uuid, isPrivate }: Pick<Sending, 'uuid' | 'isPrivate'>): void {
  store.set(modeOf(uuid), modeFor(isPrivate))
  if (location.pathname.endsWith(uuid)) document.querySelector<HTMLElement>('[data-part=composer] textarea')?.focus()
}

/** Discards an unsent message. Undo returns it to its draft. */
export function discardUnsent(item: Sending): void {
  out.discard(item.key)
  toastUndo(translate(messageWords, 'discarded'), translate(uiWords, 'undo'), async () => intoDraft(mergedItem([item])))
}

type Leaving = { mode: Mode; anyway?: boolean; voice?: File[]; body?: string }
/**
 * Sends the draft of a ticket with its recordings, or only the given text. Ticket and mode are those of the key
 * press (A-COMP-20). Returns whether something was sent: nothing is sent to a customer while a colleague's answer
 * needs a decision.
 */
export function sendDraft(ticket: TicketRow, { mode, anyway = false, voice = [], body }: Leaving): boolean {
  const draft = store.get(draftOf(ticket.uuid, mode))
  const alone = body !== undefined
  const files = [...voice.map((file) => attachmentOf(file)), ...(alone ? [] : store.get(filesOf(ticket.id, mode)))]
  const text = (body ?? draft.body).trim()
  if (text === '' && files.length === 0) return false
  const isPrivate = mode === 'note'
  const sign = store.get(settingsAtom).sendSignMessage === 'enabled' && store.get(signAtom) && !isPrivate
  const parts = files.length === 0 ? [{ body: text, files: [], quoted: draft.quoted }] : partsOf(text, files, draft)
  const item = { ticketId: ticket.id, uuid: ticket.uuid, to: ticket.contact.name, isPrivate, sign, seen: ticket.revision }
  const group = parts.length > 1 ? crypto.randomUUID() : null
  // A colleague's answer is noticed before the first part; the others follow it.
  for (const [at, part] of parts.entries()) out.send({ ...item, ...part, ...(alone && { quoted: null }), group, anyway: anyway || at > 0 })
  if (!alone) {
    store.set(draftOf(ticket.uuid, mode), blank)
    store.set(filesOf(ticket.id, mode), [])
    store.set(noticesOf(ticket.id), [])
  }
  store.set(endAtom, { ticketId: ticket.id })
  return true
}

/** Watches the thread of a stored message until its row arrives, and stops if the thread is no longer visible. */
const watched = new Map<number, () => void>()
function watchStored(): void {
  const wanted = new Set(store.get(out.all).flatMap((item) => (hasLeft(item) ? [item.ticketId] : [])))
  for (const [ticketId, end] of watched)
    if (!wanted.has(ticketId)) {
      watched.delete(ticketId)
      end()
    }
  for (const ticketId of wanted) if (!watched.has(ticketId)) watch(ticketId)
}
function watch(ticketId: number): void {
  const { ids, row, error } = threadOf(ticketId)
  const look = () =>
    out.came(
      ticketId,
      store
        .get(ids)
        .slice(-messagesPage)
        .map((id) => store.get(row(id))),
    )
  const lost = () => {
    const why = store.get(error)
    if (!(why instanceof ApiError && (why.status === 403 || why.status === 404))) return
    for (const item of store.get(out.ofTicket(ticketId))) if (hasLeft(item)) out.discard(item.key)
  }
  const ends = [store.sub(ids, look), store.sub(error, lost)]
  watched.set(ticketId, () => {
    for (const end of ends) end()
  })
  look()
}
store.sub(out.all, watchStored)
watchStored()

let looks: ReturnType<typeof setTimeout> | undefined
function tellWhatLasts(): void {
  clearTimeout(looks)
  const { late, again } = delayedMessages(store.get(out.all), now())
  store.set(undeliveredAtom, late)
  if (again !== null) looks = setTimeout(tellWhatLasts, again)
}
store.sub(out.all, tellWhatLasts)
tellWhatLasts()

live.onReconnect(out.wake)
store.sub(connectionAtom, () => store.get(connectionAtom) === 'open' && out.wake())
window.addEventListener('online', out.wake)
window.addEventListener('storage', ({ key }) => isUnsent(key, me) && out.onStorageChange())
/** The socket may be open again before HTTP calls succeed. */
setInterval(() => store.get(out.all).some((item) => item.state !== 'failed' && !hasLeft(item)) && navigator.onLine && out.wake(), 5000)
void import('./composer/tapes.ts').then(({ findTapes }) => findTapes())
