import { minuteMs } from '#domain/duration/rules.ts'
import type { Frame } from '#domain/live/contract.ts'
import { isQuiet } from '#domain/notification/rules.ts'
import { on } from '#domain/setting/contract.ts'
import type { TicketRow } from '#domain/ticket/contract.ts'
import { ticketTopic } from '#domain/ticket/topic.ts'
import { api } from '#web/api.ts'
import { ignoreErrors } from '#web/ignore-errors.ts'
import { settingsAtom, store, viewer } from '#web/session.ts'
import { counts } from '#web/shell/title.ts'
import { connectionAtom, live, lostSinceAtom } from '#web/socket.ts'
import { nowDate } from '#web/ui/now.ts'
import { notificationSettingsAtom, soundBlockedAtom } from './atoms.ts'
import { joinElection } from './lock.ts'
import { closeNotice, type NotifiedTicket, noticesOf, showNotices } from './notices.ts'
import { createSoundPlayer, type PlayerChannel, type PlayerMessage } from './player.ts'
import { createTicketTracker } from './reason.ts'
import { followNotificationSettings } from './settings.ts'
import { type Sound, tones } from './tones.ts'
import { watchedTickets } from './watched.ts'

/** The browser may notice the end of the connection this much later (`silentMs` in web/reconnecting-socket.ts). */
const unnoticedMs = 1.25 * minuteMs
/** Inputs after which browsers let a page play sounds. */
const inputs = ['pointerdown', 'pointerup', 'keydown']

const countsWaiting = () => on(store.get(settingsAtom), 'showNotificationPending')

/** Plays a sound and shows browser notices, in one page of the user (A-NOTIF-01). Returns a function that stops it. */
export function startNotifier(open: (path: string) => void): () => void {
  const userId = viewer().id
  const leader = joinElection(`notices-${userId}`, navigator.locks)
  const player = startPlayer(userId)
  const tracker = createTicketTracker(userId, countsWaiting)
  /** Changes that wait until the tickets are loaded; null: they are. */
  let pendingFrames: Frame[] | null = []
  /** Since when changes may have been missed; null: none was. */
  let gapSince = store.get(connectionAtom) === 'open' ? null : nowDate().toISOString()

  function notify(tickets: readonly NotifiedTicket[]): void {
    if (tickets.length > 0 && leader.isLeader()) void ignoreErrors(announce(tickets, player.play, open), 'the lists show the tickets')
  }
  function receive(frames: readonly Frame[]): void {
    if (pendingFrames) return void pendingFrames.push(...frames)
    if (frames.some(({ action }) => action === 'refresh')) {
      gapSince ??= new Date(nowDate().getTime() - unnoticedMs).toISOString()
      return void catchUp()
    }
    const found = frames.flatMap(({ action, id, ticket }) => {
      const row = ticket as TicketRow | undefined
      if (action === 'delete' && id !== undefined) tracker.drop(id)
      if (!row || !counts(row, userId, countsWaiting())) closeNotice(row?.id ?? id ?? null) // read or taken elsewhere
      const reason = row && tracker.change(row)
      return reason ? [{ row, reason }] : []
    })
    notify([...new Map(found.map((one) => [one.row.id, one])).values()])
  }
  /** `changed`: the ids of the tickets that changed while the rows were loading, which the rows may show already. */
  async function load(use: (rows: TicketRow[], changed: ReadonlySet<number>) => void): Promise<void> {
    pendingFrames ??= []
    try {
      const { tickets } = await api.tickets.notifications({ query: {} })
      use(tickets, new Set(pendingFrames?.flatMap(({ ticket }) => (ticket as TicketRow | undefined)?.id ?? [])))
    } finally {
      const frames = pendingFrames
      pendingFrames = null
      receive(frames)
    }
  }
  async function catchUp(): Promise<void> {
    const since = gapSince
    if (since === null) return
    await load((rows) => {
      gapSince = null
      notify(tracker.afterGap(rows, since))
    })
  }
  const noteLoss = () => {
    const lostSince = store.get(lostSinceAtom)
    if (lostSince !== null) gapSince ??= new Date(Date.parse(lostSince) - unnoticedMs).toISOString()
  }
  const ends = [
    live.subscribe(ticketTopic.name, receive),
    live.join({ name: 'Notification' }),
    live.onReconnect(() => void ignoreErrors(catchUp(), 'the next connection tries again')),
    store.sub(lostSinceAtom, noteLoss),
    followNotificationSettings(),
    leader.leave,
    player.stop,
  ]
  const loadFirst = load((rows, changed) => tracker.load(rows.filter(({ id }) => !changed.has(id))))
  void ignoreErrors(loadFirst, 'the first change of each ticket is enough')
  return () => {
    for (const end of ends) end()
  }
}

type PlaySound = (of: { sound: Sound; volume: number }) => void
/** Not in quiet hours, and not about tickets that the user looks at. */
async function announce(tickets: readonly NotifiedTicket[], play: PlaySound, open: (path: string) => void): Promise<void> {
  const { quiet, volume, messageSound, waitingSound, notices } = store.get(notificationSettingsAtom)
  if (isQuiet(quiet, store.get(settingsAtom).timeZone, nowDate())) return
  const watched = await watchedTickets()
  const news = tickets.filter(({ row }) => !watched.has(row.uuid))
  const own = messageSound && news.some(({ reason }) => reason !== 'waiting')
  const waiting = waitingSound && news.some(({ reason }) => reason === 'waiting')
  if (volume > 0 && (own || waiting)) play({ sound: own ? 'message' : 'waiting', volume })
  showNotices(noticesOf(news, notices), open)
}

function startPlayer(userId: number) {
  const pages = new BroadcastChannel(`sounds-${userId}`)
  const channel: PlayerChannel = {
    post: (message) => pages.postMessage(message),
    listen: (listener) => {
      pages.onmessage = ({ data }: MessageEvent<PlayerMessage>) => listener(data)
      return () => pages.close()
    },
  }
  const player = createSoundPlayer({
    locks: navigator.locks,
    name: `sounds-${userId}`,
    channel,
    output: tones,
    onBlocked: (isBlocked) => store.set(soundBlockedAtom, isBlocked),
  })
  const allow = () => void player.allow()
  for (const input of inputs) window.addEventListener(input, allow, { capture: true, passive: true })
  return {
    play: player.play,
    stop: () => {
      for (const input of inputs) window.removeEventListener(input, allow, { capture: true })
      player.leave()
    },
  }
}
