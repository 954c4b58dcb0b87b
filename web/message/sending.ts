import { atom } from 'jotai'
import { atomFamily } from 'jotai-family'
import { api, Refused } from '#web/api.ts'
import { say } from '#web/i18n.ts'
import { store, viewer } from '#web/session.ts'
import { connectionAtom, live } from '#web/socket.ts'
import { now } from '#web/ui/now.ts'
import { failure, toast } from '#web/ui/toaster.ts'
import { messagesPage, threadOf } from './atoms.ts'
import { keepFiles, keptFiles, outgoing } from './composer/cupboard.ts'
import { type Draft, drafts, isBlank, waiting } from './composer/drafts.ts'
import { noticesOf } from './composer/Notices.tsx'
import { composerWords } from './composer/words.ts'
import { lasting, notLeftAtom } from './notLeft.ts'
import { type Overtaken, outbox } from './outbox.ts'
import { tabs } from './tabs.ts'
import { hasLeft, isUnsent, type Sending } from './unsent.ts'

/** Who is signed in: another user begins on a new page. */
const me = viewer().id
export const draftOf = drafts(localStorage, me, window)
export const filesOf = waiting({ keep: keepFiles, kept: keptFiles }, me)
/** Files that are being made ready for it: what is sent would leave without them. */
export const readyingOf = atomFamily((_: number) => atom(0))
export const overtakenOf = atomFamily((_: number) => atom<Overtaken | null>(null))

export const out = outbox({
  store,
  send: api.messages.send,
  takes: (item) => draftNow(item.ticketId).isPrivate === item.isPrivate,
  sent: (ticketId, rows) =>
    store.set(
      threadOf(ticketId).apply,
      rows.map((row) => ({ op: 'put', row })),
    ),
  overtaken: (overtaken) => {
    const { ticketId } = overtaken.item
    intoDraft(overtaken.item)
    store.set(overtakenOf(ticketId), overtaken)
    void store.set(threadOf(ticketId).reload) // what was answered meanwhile must be on screen, whatever the socket does
  },
  keep: {
    ...{ shelf: localStorage, userId: me },
    files: { keep: (key, files) => keepFiles(me, outgoing(key), files), kept: (key) => keptFiles(me, outgoing(key)) },
  },
  tabs,
  returned: (item, error) => {
    intoDraft(item)
    const text = failure(error)
    store.set(noticesOf(item.ticketId), (now) => [...now.filter((other) => other.text !== text), { text }])
  },
})

/** As the tabs left it, also where it is on no screen. */
function draftNow(ticketId: number): Draft {
  store.sub(draftOf(ticketId), () => {})()
  return store.get(draftOf(ticketId))
}
/** What was to be sent stands in the composer again, before what is written there; it joins nothing that is for other readers. */
function intoDraft({ ticketId, to, body, quoted, isPrivate, files }: Sending): void {
  const draft = draftNow(ticketId)
  store.set(draftOf(ticketId), { to, body: [body, draft.body].filter(Boolean).join('\n'), quoted: quoted ?? draft.quoted, isPrivate })
  if (files.length > 0) store.set(filesOf(ticketId), (now) => [...files, ...now])
}
/** What did not leave is put right there: another text, or without the file that was refused. */
export function takeBack(item: Sending): void {
  const draft = draftNow(item.ticketId)
  const free = isBlank(draft) && store.get(filesOf(item.ticketId)).length + store.get(readyingOf(item.ticketId)) === 0
  if (!free && draft.isPrivate !== item.isPrivate) {
    toast(say(composerWords, draft.isPrivate ? 'noteFirst' : 'answerFirst'), 'warning')
  } else {
    intoDraft(item)
    out.discard(item.key)
  }
  document.querySelector<HTMLElement>('[data-part=composer] textarea')?.focus()
}

/** The thread of what is stored is looked at until it shows it; where it is out of sight by now, nobody waits. */
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
    if (!(why instanceof Refused && (why.status === 403 || why.status === 404))) return
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
  const { late, again } = lasting(store.get(out.all), now())
  store.set(notLeftAtom, late)
  if (again !== null) looks = setTimeout(tellWhatLasts, again)
}
store.sub(out.all, tellWhatLasts)
tellWhatLasts()

live.back(out.wake)
store.sub(connectionAtom, () => store.get(connectionAtom) === 'open' && out.wake())
window.addEventListener('online', out.wake)
window.addEventListener('storage', ({ key }) => isUnsent(key, me) && out.heard())
/** The socket may be open again before the calls are. */
setInterval(() => store.get(out.all).some((item) => item.state !== 'failed' && !hasLeft(item)) && navigator.onLine && out.wake(), 5000)
