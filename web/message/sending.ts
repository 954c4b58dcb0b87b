import { atom } from 'jotai'
import { atomFamily } from 'jotai-family'
import { api } from '#web/api.ts'
import { store, viewer } from '#web/session.ts'
import { connectionAtom, live } from '#web/socket.ts'
import { failure } from '#web/ui/toaster.ts'
import { threadOf } from './atoms.ts'
import { keepFiles, keptFiles, outgoing } from './composer/cupboard.ts'
import { drafts, waiting } from './composer/drafts.ts'
import { noticesOf } from './composer/Notices.tsx'
import { lasting, notLeftAtom } from './notLeft.ts'
import { type Held, outbox } from './outbox.ts'
import { tabs } from './tabs.ts'
import { isUnsent, type Sending } from './unsent.ts'

/** Who is signed in: another user begins on a new page. */
const me = viewer().id
export const draftOf = drafts(localStorage, me, window)
export const filesOf = waiting({ keep: keepFiles, kept: keptFiles }, me)
export const heldOf = atomFamily((_: number) => atom<Held | null>(null))

export const out = outbox({
  store,
  send: api.messages.send,
  sent: (ticketId, rows) =>
    store.set(
      threadOf(ticketId).apply,
      rows.map((row) => ({ op: 'put', row })),
    ),
  held: (held) => {
    const { ticketId } = held.item
    intoDraft(held.item)
    store.set(heldOf(ticketId), held)
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

/** What was to be sent stands in the composer again, before what is written there. */
function intoDraft({ ticketId, to, body, quoted, isPrivate, files }: Sending): void {
  const draft = store.get(draftOf(ticketId))
  store.set(draftOf(ticketId), { to, body: [body, draft.body].filter(Boolean).join('\n'), quoted: quoted ?? draft.quoted, isPrivate })
  if (files.length > 0) store.set(filesOf(ticketId), [...files, ...store.get(filesOf(ticketId))])
}
/** What did not leave is put right there: another text, or without the file that was refused. */
export function takeBack(item: Sending): void {
  intoDraft(item)
  out.discard(item.key)
  document.querySelector<HTMLElement>('.composer textarea')?.focus()
}

let looks: ReturnType<typeof setTimeout> | undefined
function tellWhatLasts(): void {
  clearTimeout(looks)
  const { late, again } = lasting(store.get(out.all), Date.now())
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
setInterval(() => store.get(out.all).some(({ state }) => state !== 'failed') && navigator.onLine && out.wake(), 5000)
