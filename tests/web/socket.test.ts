import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Frame } from '#domain/live/contract.ts'
import { createLiveConnection, onNextDraw } from '#web/socket.ts'

class Fake {
  readyState = 0
  sent: { emit: string; data: unknown }[] = []
  onopen: (() => void) | null = null
  onmessage: ((event: { data: string }) => void) | null = null
  onclose: (() => void) | null = null
  send = (text: string) => void this.sent.push(JSON.parse(text) as never)
  close = () => this.onclose?.()
  accept() {
    this.readyState = 1
    this.onopen?.()
  }
  hear(...frames: Frame[]) {
    for (const frame of frames) this.onmessage?.({ data: JSON.stringify(frame) })
  }
  lose() {
    this.readyState = 3
    this.onclose?.()
  }
}

let fakes: Fake[]
let drawing: (() => void)[]
let states: string[]
let refusals: boolean[]
const made = () =>
  createLiveConnection({
    open: () => {
      const fake = new Fake()
      fakes.push(fake)
      return fake as never
    },
    soon: (run) => void drawing.push(run),
    state: (state) => void states.push(state),
    before: async (refused) => void refusals.push(refused),
  })
const draw = () => {
  for (const run of drawing.splice(0)) run()
}

beforeEach(() => {
  vi.useFakeTimers()
  fakes = []
  drawing = []
  states = []
  refusals = []
})
afterEach(() => vi.useRealTimers())

describe('the draw callback', () => {
  afterEach(() => vi.unstubAllGlobals())
  it('runs once when the page is drawn, or soon if the page is hidden', async () => {
    const draws = new Map<number, () => void>()
    vi.stubGlobal('document', { hidden: false })
    vi.stubGlobal('requestAnimationFrame', (run: () => void) => draws.set(draws.size, run).size - 1)
    vi.stubGlobal('cancelAnimationFrame', (draw: number) => draws.delete(draw))
    let runs = 0
    onNextDraw(() => runs++)
    draws.get(0)!()
    await vi.advanceTimersByTimeAsync(300)
    expect(runs).toBe(1)
    onNextDraw(() => runs++) // and nothing is ever drawn again
    await vi.advanceTimersByTimeAsync(300)
    expect([runs, draws.size]).toEqual([2, 0])
  })
})

describe('the live connection', () => {
  it('delivers the frames of one drawing together, by topic', () => {
    const line = made()
    const tags: Frame[][] = []
    line.subscribe('tag', (frames) => tags.push(frames))
    line.start()
    fakes[0]!.accept()
    fakes[0]!.hear(
      { channel: 'company-1-tag', action: 'update', id: 1 },
      { channel: 'company-1-queue', action: 'update', id: 5 },
      { channel: 'company-1-tag', action: 'delete', id: 2 },
    )
    expect(tags).toEqual([])
    draw()
    expect(tags.map((some) => some.map(({ id }) => id))).toEqual([[1, 2]])
  })

  it('joins a room once for all its users and leaves with the last one', () => {
    const line = made()
    line.start()
    fakes[0]!.accept()
    const room = { name: 'Tickets', data: { status: 'open' } } as const
    const [one, two] = [line.join(room), line.join(room)]
    one()
    two()
    expect(fakes[0]!.sent.map(({ emit }) => emit)).toEqual(['userStatus', 'joinTickets', 'leaveTickets'])
  })

  it('reconnects after one to two seconds, joins again and notifies', async () => {
    const line = made()
    let returns = 0
    line.onReconnect(() => returns++)
    line.join({ name: 'ChatBox', data: { ticketId: 7 } })
    line.start()
    fakes[0]!.accept()
    expect(returns).toBe(0)
    fakes[0]!.lose()
    expect(states.at(-1)).toBe('lost')
    await vi.advanceTimersByTimeAsync(999)
    expect(fakes).toHaveLength(1)
    await vi.advanceTimersByTimeAsync(1001)
    fakes[1]!.accept()
    expect(fakes[1]!.sent[0]).toEqual({ emit: 'joinChatBox', data: { ticketId: 7 } })
    expect([returns, states.at(-1)]).toEqual([1, 'open'])
  })

  it('notifies readers that loaded during the opening, and all of them after a failed attempt', async () => {
    const line = made()
    const told: string[] = []
    line.onReconnect(() => told.push('before'))
    line.start()
    line.onReconnect(() => told.push('meanwhile'))
    line.onReconnect(() => told.push('left'))()
    fakes[0]!.accept()
    line.onReconnect(() => told.push('behind'))
    expect(told).toEqual(['meanwhile'])
    const refused = made()
    refused.onReconnect(() => told.push('all'))
    refused.start()
    fakes[1]!.lose()
    await vi.advanceTimersByTimeAsync(2000)
    fakes[2]!.accept()
    expect(told).toEqual(['meanwhile', 'all'])
  })

  it('a refresh loads everything again, and a later reconnect does so too', async () => {
    const line = made()
    let loads = 0
    line.onReconnect(() => loads++)
    line.start()
    fakes[0]!.accept()
    line.refresh()
    expect(loads).toBe(1)
    fakes[0]!.lose()
    line.refresh()
    expect(loads).toBe(2)
    await vi.advanceTimersByTimeAsync(2000)
    fakes[1]!.accept()
    expect(loads).toBe(3)
  })

  it('reconnects after two and a half missed heartbeats and ignores the old socket', async () => {
    const line = made()
    const heard: unknown[] = []
    line.subscribe('tag', (frames) => heard.push(...frames))
    line.start()
    fakes[0]!.accept()
    for (let beats = 0; beats < 4; beats++) {
      await vi.advanceTimersByTimeAsync(30_000)
      fakes[0]!.hear({ channel: 'live', action: 'beat' })
    }
    expect([fakes.length, states.at(-1)]).toEqual([1, 'open'])
    draw()
    await vi.advanceTimersByTimeAsync(85_000)
    expect([fakes.length, states.at(-1), refusals]).toEqual([2, 'lost', [false]])
    fakes[1]!.accept()
    fakes[0]!.hear({ channel: 'company-1-tag', action: 'update', id: 1 })
    fakes[0]!.lose()
    draw()
    expect([fakes.length, states.at(-1), heard]).toEqual([2, 'open', []])
  })

  it('checks the socket at once when the network or the page returns', async () => {
    const line = made()
    line.start()
    fakes[0]!.accept()
    await vi.advanceTimersByTimeAsync(1000)
    line.retry()
    expect(fakes[0]!.sent.at(-1)).toEqual({ emit: 'beat', data: {} })
    fakes[0]!.hear({ channel: 'live', action: 'beat' })
    await vi.advanceTimersByTimeAsync(8000)
    expect(fakes).toHaveLength(1)
    line.retry()
    await vi.advanceTimersByTimeAsync(7000)
    expect(fakes).toHaveLength(2)
    line.retry() // it hangs before it is open
    await vi.advanceTimersByTimeAsync(7000)
    expect(fakes).toHaveLength(3)
  })

  it('requests a new token after a refused connection, and never gives up', async () => {
    const line = made()
    line.start()
    for (let tries = 0; tries < 5; tries++) {
      fakes.at(-1)!.lose()
      await vi.advanceTimersByTimeAsync(2000)
    }
    expect(fakes).toHaveLength(6)
    expect(refusals).toEqual([true, true, true, true, true])
  })

  it('repeats the idle state after a reconnect, until the user is active', async () => {
    const line = made()
    line.start()
    fakes[0]!.accept()
    line.idle(true)
    for (const is of [true, false]) {
      fakes.at(-1)!.lose()
      if (!is) line.idle(false) // told to nobody
      await vi.advanceTimersByTimeAsync(2000)
      fakes.at(-1)!.accept()
    }
    expect(fakes.map(({ sent }) => sent)).toEqual([
      [
        { emit: 'userStatus', data: {} },
        { emit: 'userStatus', data: { idle: true } },
      ],
      [{ emit: 'userStatus', data: { idle: true } }],
      [{ emit: 'userStatus', data: {} }],
    ])
  })

  it('reports activity every five minutes', async () => {
    const line = made()
    line.start()
    fakes[0]!.accept()
    for (let beats = 0; beats < 20; beats++) {
      await vi.advanceTimersByTimeAsync(30_000)
      fakes[0]!.hear({ channel: 'live', action: 'beat' })
    }
    expect(fakes[0]!.sent.filter(({ emit }) => emit === 'userStatus')).toHaveLength(3)
    line.stop()
    expect(states.at(-1)).toBe('off')
  })
})
