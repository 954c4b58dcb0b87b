import { beatMs, type Emit, type Frame } from '#domain/live/contract.ts'
import { ignoreErrors } from './ignore-errors.ts'

/** A connection without frames for this long is dead, even if the browser reports it open. */
const silentMs = 2.5 * beatMs
const checkIntervalMs = 10_000
/** Time for the answer to a probe. */
const beatTimeoutMs = 5000
type Socket = Pick<WebSocket, 'send' | 'close' | 'onopen' | 'onmessage' | 'onclose' | 'readyState'>

export type ReconnectingSocketOptions = {
  open: () => Socket
  state: (state: 'off' | 'opening' | 'open' | 'lost') => void
  /** Runs before each new attempt; it may renew the token. */
  before?: (refused: boolean) => Promise<unknown>
  /** Runs when the connection opens, before its state is reported. */
  onOpen: () => void
  afterOpen: () => void
  onFrame: (frame: Frame) => void
  /** Runs when the connection ends without a stop. */
  onInterruption: () => void
}

/** A socket that opens again after each end, also after an end that the browser does not notice. */
export function createReconnectingSocket(of: ReconnectingSocketOptions) {
  let current: Socket | null = null
  let wanted = false
  let opened = false
  let waiting: ReturnType<typeof setTimeout> | undefined
  let checkTimer: ReturnType<typeof setInterval> | undefined
  let lastFrameAt = 0
  let handleClose = () => {}
  const send = (name: Emit, data: unknown = {}) => {
    if (current?.readyState === 1) current.send(JSON.stringify({ emit: name, data }))
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
      of.onOpen()
      of.state('open')
      opened = true
      of.afterOpen()
    }
    mine.onmessage = ({ data }) => {
      if (current !== mine) return
      lastFrameAt = Date.now()
      of.onFrame(JSON.parse(String(data)) as Frame)
    }
    mine.onclose = handleClose = () => {
      if (current !== mine) return
      current = null
      if (!wanted) return
      of.onInterruption()
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
  const reopen = async (refused: boolean) => {
    if (of.before) await ignoreErrors(of.before(refused), 'the socket reports what is wrong')
    if (wanted && current === null) open()
  }
  return {
    send,
    isStarted: () => wanted,
    isOpen: () => current?.readyState === 1,
    start: () => {
      wanted = true
      checkTimer = setInterval(() => current && Date.now() - lastFrameAt > silentMs && drop(), checkIntervalMs)
      open()
    },
    stop: () => {
      wanted = false
      opened = false
      clearTimeout(waiting)
      clearInterval(checkTimer)
      current?.close()
      current = null
      of.state('off')
    },
    /** Reconnects without the pause, or probes an open connection. */
    retry: () => {
      if (!wanted) return
      const [probedAt, mine] = [Date.now(), current]
      if (mine === null) {
        clearTimeout(waiting)
        return void reopen(false)
      }
      send('beat')
      setTimeout(() => current === mine && lastFrameAt < probedAt && drop(), beatTimeoutMs)
    },
  }
}
