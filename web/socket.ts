import { atom, getDefaultStore } from 'jotai'
import { type Emit, type Frame, protocol, type Room, type WorkingSignal } from '#domain/live/contract.ts'
import { renew, token } from './api.ts'
import { createReconnectingSocket, type ReconnectingSocketOptions } from './reconnecting-socket.ts'
import { nowDate } from './ui/now.ts'

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
/** Since when the connection is lost, so that nothing on the screen is live; null: it is not. */
export const lostSinceAtom = atom<string | null>(null)

const presenceIntervalMs = 300_000

/** What the signed-in page does with its connection. */
type LiveControls = {
  start: () => void
  stop: () => void
  /**
   * The network is back or the page is visible again: reconnects without the pause, or probes an open
   * connection.
   */
  retry: () => void
  /** Loads everything on the screen again, in place. */
  refresh: () => void
  /** Reports whether the user is idle (A-ROT-01). */
  idle: (is: boolean) => void
  /** Shows the ticket's customer that an agent is typing. */
  typing: (ticketId: number) => void
  /** Tells colleagues what the user does in a ticket. */
  working: (signal: WorkingSignal) => void
}

export function createLiveConnection({
  soon,
  ...of
}: Pick<ReconnectingSocketOptions, 'open' | 'state' | 'before'> & {
  /** Runs a function before the next paint. */
  soon: (run: () => void) => void
}): LiveConnection & LiveControls {
  let isIdle = false
  let presenceTimer: ReturnType<typeof setInterval> | undefined
  const frames = createFrameDelivery(soon)
  const socket = createReconnectingSocket({
    ...of,
    onOpen: () => {
      rooms.joinAll()
      emit('userStatus', isIdle ? { idle: true } : {}) // opening the page counts as input
    },
    afterOpen: () => reconnects.notify(),
    onFrame: frames.add,
    onInterruption: () => reconnects.interrupted(),
  })
  const emit = (name: Emit, data: unknown = {}) => socket.send(name, data)
  const rooms = createRoomMemberships(emit)
  const reconnects = createReconnectListeners(() => socket.isStarted() && !socket.isOpen())
  return {
    start: () => {
      if (socket.isStarted()) return
      presenceTimer = setInterval(() => emit('userStatus'), presenceIntervalMs)
      socket.start()
    },
    stop: () => {
      reconnects.forgetMissed()
      clearInterval(presenceTimer)
      socket.stop()
    },
    idle: (is) => {
      isIdle = is
      emit('userStatus', { idle: is })
    },
    typing: createTypingSignal(emit),
    working: (signal) => emit('working', signal),
    refresh: reconnects.notifyAll,
    retry: socket.retry,
    subscribe: frames.subscribe,
    join: rooms.join,
    onReconnect: reconnects.add,
  }
}

/** Delivers the frames of one draw together, to the listeners of their topic. */
function createFrameDelivery(soon: (run: () => void) => void) {
  const listeners = new Map<string, Set<(frames: Frame[]) => void>>()
  let pendingFrames: Frame[] = []
  const deliver = () => {
    const frames = pendingFrames
    pendingFrames = []
    const byName = Map.groupBy(frames, ({ channel }) => channel.replace(/^company-(\d+-)?/, ''))
    for (const [name, some] of byName) for (const listener of listeners.get(name) ?? []) listener(some)
  }
  return {
    add(frame: Frame): void {
      if (pendingFrames.push(frame) === 1) soon(deliver)
    },
    subscribe(name: string, listener: (frames: Frame[]) => void): () => void {
      const some = listeners.get(name) ?? new Set()
      listeners.set(name, some.add(listener))
      return () => void some.delete(listener)
    },
  }
}

/** The rooms of this page. A room is joined once for all its users. */
function createRoomMemberships(emit: (name: Emit, data: unknown) => void) {
  const rooms = new Map<string, { room: Room; count: number }>()
  return {
    joinAll(): void {
      for (const { room } of rooms.values()) emit(`join${room.name}`, room.data)
    },
    join(room: Room): () => void {
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
  }
}

/** Calls listeners that may have missed frames when the connection opens. */
function createReconnectListeners(isInterrupted: () => boolean) {
  const listeners = new Set<() => void>()
  /** Listeners that may have loaded data before the connection opened. */
  const withMissedFrames = new Set<() => void>()
  return {
    add(listener: () => void): () => void {
      listeners.add(listener)
      if (isInterrupted()) withMissedFrames.add(listener)
      return () => {
        listeners.delete(listener)
        withMissedFrames.delete(listener)
      }
    },
    interrupted(): void {
      for (const listener of listeners) withMissedFrames.add(listener)
    },
    notify(): void {
      const some = [...withMissedFrames]
      withMissedFrames.clear()
      for (const listener of some) listener()
    },
    /** Without a reconnect: who may have missed frames is still called when the connection opens. */
    notifyAll(): void {
      for (const listener of [...listeners]) listener()
    },
    forgetMissed: () => withMissedFrames.clear(),
  }
}

function createTypingSignal(emit: (name: Emit, data: unknown) => void) {
  let typed = { ticketId: 0, at: 0 }
  return (ticketId: number): void => {
    const at = Date.now()
    if (typed.ticketId === ticketId && at - typed.at < typingIntervalMs) return
    typed = { ticketId, at }
    emit('typing', { ticketId })
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
  state: (state) => {
    const store = getDefaultStore()
    store.set(connectionAtom, state)
    if (state === 'lost') store.set(lostSinceAtom, store.get(lostSinceAtom) ?? nowDate().toISOString())
    if (state === 'open') store.set(lostSinceAtom, null)
  },
  before: async (refused) => {
    if (refused) await renew() // the connection was refused: the token may have expired
  },
})
if (typeof window !== 'undefined') {
  window.addEventListener('online', live.retry)
  document.addEventListener('visibilitychange', () => document.hidden || live.retry())
}
