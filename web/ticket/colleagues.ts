import { atom, type createStore, useAtomValue } from 'jotai'
import { useMemo } from 'react'
import { type Activity, activities, type ColleagueFrame, colleagueBeatMs, colleagueGoneMs } from '#domain/live/contract.ts'
import type { Mode } from '#web/message/composer/drafts.ts'
import { draftOf } from '#web/message/composer/early.ts'
import { live } from '#web/socket.ts'

/* What colleagues do in each ticket (A-HERE-01). */

/** Milliseconds after the last letter in which a user counts as writing. */
const writingMs = 10_000
const sweepMs = 5000
/** This page; another tab of the user has its own. */
const tab = crypto.randomUUID()

type Work = { userId: number; name: string; doing: Exclude<Activity, 'left'>; until: number }
export type Colleague = Pick<Work, 'userId' | 'name' | 'doing'>
type ByTicket = ReadonlyMap<number, readonly Colleague[]>
const none: readonly Colleague[] = []

/** One entry for each user, with the strongest activity of their tabs; the strongest first. */
function merged(works: Iterable<Work>): readonly Colleague[] {
  const strength = ({ doing }: Colleague) => activities.indexOf(doing)
  const byUser = new Map<number, Colleague>()
  for (const { userId, name, doing } of works) {
    const known = byUser.get(userId)
    const one = { userId, name, doing }
    if (!known || strength(one) < strength(known)) byUser.set(userId, one)
  }
  return [...byUser.values()].sort((a, b) => strength(a) - strength(b) || a.name.localeCompare(b.name))
}

const shown = atom<ByTicket>(new Map())
const colleagues = atom(
  (get) => get(shown),
  (get, set, { ticketId, list }: { ticketId: number; list: readonly Colleague[] }) => {
    if (JSON.stringify(get(shown).get(ticketId) ?? none) === JSON.stringify(list)) return
    const next = new Map(get(shown))
    if (list.length === 0) next.delete(ticketId)
    else next.set(ticketId, list)
    set(shown, next)
  },
)
colleagues.onMount = (tell) => {
  const works = new Map<number, Map<string, Work>>()
  const show = (ticketId: number) => tell({ ticketId, list: merged(works.get(ticketId)?.values() ?? []) })
  const off = live.subscribe('colleague', (frames) => {
    for (const { ticketId, userId, name, doing, tab: page } of frames as ColleagueFrame[]) {
      const ofTicket = works.get(ticketId) ?? new Map<string, Work>()
      if (doing === 'left') ofTicket.delete(page)
      else ofTicket.set(page, { userId, name, doing, until: Date.now() + colleagueGoneMs })
      works.set(ticketId, ofTicket)
      show(ticketId)
    }
  })
  const sweep = setInterval(() => {
    for (const [ticketId, ofTicket] of works) {
      for (const [page, { until }] of ofTicket) if (until < Date.now()) ofTicket.delete(page)
      show(ticketId)
      if (ofTicket.size === 0) works.delete(ticketId)
    }
  }, sweepMs)
  return () => {
    off()
    clearInterval(sweep)
    for (const ticketId of works.keys()) tell({ ticketId, list: none })
  }
}

/** The colleagues who have a ticket open, the most active one first. */
export const useColleagues = (ticketId: number): readonly Colleague[] =>
  useAtomValue(useMemo(() => atom((get) => get(colleagues).get(ticketId) ?? none), [ticketId]))

const texts = { replies: 'colleagueReplies', notes: 'colleagueNotes', draft: 'colleagueDraft', views: 'colleagueViews' } as const
type Translate = (key: (typeof texts)[keyof typeof texts], values: { name: string }) => string
export const colleagueText = (t: Translate, { name, doing }: Colleague): string => t(texts[doing], { name })

/** Tells colleagues that this user has the ticket open and what they do in it, until the returned function is called. */
export function announceWork(store: ReturnType<typeof createStore>, { id: ticketId, uuid }: { id: number; uuid: string }): () => void {
  const bodyOf = (mode: Mode) => store.get(draftOf(uuid, mode)).body
  const bodies = { reply: bodyOf('reply'), note: bodyOf('note') }
  let writes: Mode | null = null
  let pause: ReturnType<typeof setTimeout> | undefined
  let last: Activity | null = null
  const now = (): Activity => {
    if (writes) return writes === 'note' ? 'notes' : 'replies'
    return (bodies.reply + bodies.note).trim() === '' ? 'views' : 'draft'
  }
  const send = (asks = false) => {
    last = now()
    live.working({ ticketId, doing: last, tab, ...(asks && { asks }) })
  }
  const sendChange = () => {
    if (last !== now()) send()
  }
  const follow = (mode: Mode) =>
    store.sub(draftOf(uuid, mode), () => {
      const body = bodyOf(mode)
      if (body === bodies[mode]) return
      bodies[mode] = body
      writes = body.trim() === '' ? null : mode
      clearTimeout(pause)
      pause = setTimeout(() => {
        writes = null
        sendChange()
      }, writingMs)
      sendChange()
    })
  const ends = [
    follow('reply'),
    follow('note'),
    live.onReconnect(() => send(true)),
    live.subscribe('colleague', (frames) => {
      if (frames.some((frame) => frame.asks === true && frame.ticketId === ticketId)) send()
    }),
  ]
  const leave = () => live.working({ ticketId, doing: 'left', tab })
  window.addEventListener('pagehide', leave)
  const beat = setInterval(send, colleagueBeatMs)
  send(true)
  return () => {
    for (const end of ends) end()
    window.removeEventListener('pagehide', leave)
    clearInterval(beat)
    clearTimeout(pause)
    leave()
  }
}
