import { atom, getDefaultStore } from 'jotai'
import { beatMs, type Emit, type Frame, protocol, type Room } from '#domain/live/contract.ts'
import { renew, token } from './api.ts'

/** What a live list needs of the socket; tests bring their own. */
export type LiveConnection = {
  /** Frames of `company-<id>-<name>`, gathered and told once per animation frame. */
  subscribe: (name: string, listener: (frames: Frame[]) => void) => () => void
  join: (room: Room) => () => void
  /** Told when the line opens after they came, or is back after it was down: what was missed is not sent again. */
  onReconnect: (listener: () => void) => () => void
}
/** Within which a phone that shows who writes is told again. */
const typingIntervalMs = 4000

/** off: not started; open: frames come; lost: it was open and is being reopened. */
export const connectionAtom = atom<'off' | 'opening' | 'open' | 'lost'>('off')

const presenceIntervalMs = 300_000
/** A line on which nothing was heard for so long is dead, whatever the browser knows. */
const silentMs = 2.5 * beatMs
const checkIntervalMs = 10_000
/** How long one that is asked whether it lives may take. */
const beatTimeoutMs = 5000
type Socket = Pick<WebSocket, 'send' | 'close' | 'onopen' | 'onmessage' | 'onclose' | 'readyState'>

export function createLiveConnection(of: {
  open: () => Socket
  /** Waits for the next moment to draw. */
  soon: (run: () => void) => void
  state: (state: 'off' | 'opening' | 'open' | 'lost') => void
  /** Before each new try; may get a new token. */
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
  /** Of these, who may have read something that changed before the line was open. */
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
      emit('userStatus', isIdle ? { idle: true } : {}) // that it was opened counts as input
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
  /** A dead one says that it is closed when it pleases. */
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
    await of.before?.(refused).catch(() => {})
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
    /** Whether nobody has given input for long (A-ROT-01). */
    idle: (is) => {
      isIdle = is
      emit('userStatus', { idle: is })
    },
    /** The customer of a ticket is shown that somebody writes. */
    typing: (ticketId) => {
      const at = Date.now()
      if (typed.ticketId === ticketId && at - typed.at < typingIntervalMs) return
      typed = { ticketId, at }
      emit('typing', { ticketId })
    },
    /** The network is said to be back, or the page is seen again: do not wait out the pause, and ask a line that seems to be open. */
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

/** A hidden page is never drawn, and may be hidden just now, yet its title must go on counting. */
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
    if (refused) await renew() // turned away at the door: the token may have run out
  },
})
if (typeof window !== 'undefined') {
  window.addEventListener('online', live.retry)
  document.addEventListener('visibilitychange', () => document.hidden || live.retry())
}
