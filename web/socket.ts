import { atom, getDefaultStore } from 'jotai'
import { beatMs, type Emit, type Frame, protocol, type Room } from '#domain/live/contract.ts'
import { ignoreErrors } from '#web/ignore-errors.ts'
import { renew, token } from './api.ts'

/** The part of the socket that live lists use; tests provide their own. */
export type LiveConnection = {
  /** Frames of `company-<id>-<name>`, delivered in one batch per animation frame. */
  subscribe: (name: string, listener: (frames: Frame[]) => void) => () => void
  join: (room: Room) => () => void
  /**
   * Called when the connection opens after the subscription, and after each interruption, because missed frames
   * are not repeated.
   */
  onReconnect: (listener: () => void) => () => void
}
/** Minimum milliseconds between two typing signals for a ticket. */
const typingIntervalMs = 4000

/** off: not started; open: frames arrive; lost: it was open and is being reopened. */
export const connectionAtom = atom<'off' | 'opening' | 'open' | 'lost'>('off')

const presenceIntervalMs = 300_000
/** A connection without frames for this long is dead, even if the browser reports it open. */
const silentMs = 2.5 * beatMs
const checkIntervalMs = 10_000
/** Time for the answer to a probe. */
const beatTimeoutMs = 5000
type Socket = Pick<WebSocket, 'send' | 'close' | 'onopen' | 'onmessage' | 'onclose' | 'readyState'>

export function createLiveConnection(of: {
  open: () => Socket
  /** Runs a function before the next paint. */
  soon: (run: () => void) => void
  state: (state: 'off' | 'opening' | 'open' | 'lost') => void
  /** Runs before each new attempt; it may renew the token. */
  before?: (refused: boolean) => Promise<unknown>
}): LiveConnection & {
  start: () => void
  stop: () => void
  retry: () => void
  idle: (is: boolean) => void
  typing: (ticketId: number) => void
} {
  const listeners = new Map<string, Set<(frames: Frame[]) => void>>()
  const rooms = new Map<string, { room: Room; count: number }>()
  const reconnectListeners = new Set<() => void>()
  /** Listeners that may have loaded data before the connection opened. */
  const listenersWithMissedFrames = new Set<() => void>()
  let current: Socket | null = null
  let wanted = false
  let opened = false
  let waiting: ReturnType<typeof setTimeout> | undefined
  let timers: ReturnType<typeof setInterval>[] = []
  let lastFrameAt = 0
  let handleClose = () => {}
  let pendingFrames: Frame[] = []

  let isIdle = false
  let typed = { ticketId: 0, at: 0 }

  const emit = (name: Emit, data: unknown = {}) => {
    if (current?.readyState === 1) current.send(JSON.stringify({ emit: name, data }))
  }
  const deliver = () => {
    const frames = pendingFrames
    pendingFrames = []
    const byName = Map.groupBy(frames, ({ channel }) => channel.replace(/^company-(\d+-)?/, ''))
    for (const [name, some] of byName) for (const listener of listeners.get(name) ?? []) listener(some)
  }
  const open = () => {
    of.state(opened ? 'lost' : 'opening')
    const mine = of.open()
    let answered = false
    current = mine
    lastFrameAt = Date.now()
    mine.onopen = () => {
      answered = true
      lastFrameAt = Date.now()
      for (const { room } of rooms.values()) emit(`join${room.name}`, room.data)
      emit('userStatus', isIdle ? { idle: true } : {}) // opening the page counts as input
      of.state('open')
      opened = true
      const some = [...listenersWithMissedFrames]
      listenersWithMissedFrames.clear()
      for (const listener of some) listener()
    }
    mine.onmessage = ({ data }) => {
      if (current !== mine) return
      lastFrameAt = Date.now()
      if (pendingFrames.push(JSON.parse(String(data)) as Frame) === 1) of.soon(deliver)
    }
    mine.onclose = handleClose = () => {
      if (current !== mine) return
      current = null
      if (!wanted) return
      for (const listener of reconnectListeners) listenersWithMissedFrames.add(listener)
      of.state(opened ? 'lost' : 'opening')
      waiting = setTimeout(() => void reopen(!answered), 1000 + Math.random() * 1000)
    }
  }
  /** Drops a dead connection at once, because its close event may come late. */
  const drop = () => {
    const dead = current
    handleClose()
    dead?.close()
  }
  const probe = () => {
    const [probedAt, mine] = [Date.now(), current]
    emit('beat')
    setTimeout(() => current === mine && lastFrameAt < probedAt && drop(), beatTimeoutMs)
  }
  const reopen = async (refused: boolean) => {
    if (of.before) await ignoreErrors(of.before(refused), 'the socket reports what is wrong')
    if (wanted && current === null) open()
  }
  return {
    start: () => {
      if (wanted) return
      wanted = true
      timers = [
        setInterval(() => emit('userStatus'), presenceIntervalMs),
        setInterval(() => current && Date.now() - lastFrameAt > silentMs && drop(), checkIntervalMs),
      ]
      open()
    },
    stop: () => {
      wanted = false
      opened = false
      listenersWithMissedFrames.clear()
      clearTimeout(waiting)
      for (const timer of timers) clearInterval(timer)
      current?.close()
      current = null
      of.state('off')
    },
    /** Reports whether the user is idle (A-ROT-01). */
    idle: (is) => {
      isIdle = is
      emit('userStatus', { idle: is })
    },
    /** Shows the ticket's customer that an agent is typing. */
    typing: (ticketId) => {
      const at = Date.now()
      if (typed.ticketId === ticketId && at - typed.at < typingIntervalMs) return
      typed = { ticketId, at }
      emit('typing', { ticketId })
    },
    /**
     * The network is back or the page is visible again: reconnects without the pause, or probes an open
     * connection.
     */
    retry: () => {
      if (!wanted) return
      if (current !== null) return probe()
      clearTimeout(waiting)
      void reopen(false)
    },
    subscribe: (name, listener) => {
      const some = listeners.get(name) ?? new Set()
      listeners.set(name, some.add(listener))
      return () => void some.delete(listener)
    },
    join: (room) => {
      const key = JSON.stringify(room)
      const joined = rooms.get(key) ?? { room, count: 0 }
      rooms.set(key, joined)
      if (joined.count++ === 0) emit(`join${room.name}`, room.data)
      return () => {
        if (--joined.count > 0) return
        rooms.delete(key)
        emit(`leave${room.name}`, room.data)
      }
    },
    onReconnect: (listener) => {
      reconnectListeners.add(listener)
      if (wanted && current?.readyState !== 1) listenersWithMissedFrames.add(listener)
      return () => {
        reconnectListeners.delete(listener)
        listenersWithMissedFrames.delete(listener)
      }
    },
  }
}

/** A hidden page gets no animation frame, but its title must keep counting, so a timer is the fallback. */
export const onNextDraw = (run: () => void) => {
  if (typeof document === 'undefined' || document.hidden) return void setTimeout(run, 50)
  const first = () => {
    cancelAnimationFrame(draw)
    clearTimeout(late)
    run()
  }
  const draw = requestAnimationFrame(first)
  const late = setTimeout(first, 200)
}

export const live = createLiveConnection({
  open: () => new WebSocket(`${location.origin.replace(/^http/, 'ws')}/api/live`, [protocol, `bearer.${token.get()}`]),
  soon: onNextDraw,
  state: (state) => getDefaultStore().set(connectionAtom, state),
  before: async (refused) => {
    if (refused) await renew() // the connection was refused: the token may have expired
  },
})
if (typeof window !== 'undefined') {
  window.addEventListener('online', live.retry)
  document.addEventListener('visibilitychange', () => document.hidden || live.retry())
}
