import { createStore } from 'jotai'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { Frame, Room } from '#domain/live/contract.ts'
import { ApiError } from '#web/api.ts'
import { Offline } from '#web/http-transport.ts'
import { createLiveCollection, createLiveRow, frozen } from '#web/live.ts'
import type { CollectionOf, Page } from '#web/live-rows.ts'
import type { LiveConnection } from '#web/socket.ts'

type Row = { id: number; status: string; at: number }
const topic = { name: 'ticket', field: 'ticket', sees: () => true }
const row = (id: number, status = 'pending', at = id): Row => ({ id, status, at })
const put = (ticket: Row, action = 'update'): Frame => ({ channel: 'company-1-ticket', action, ticket, id: ticket.id })
const drop = (id: number): Frame => ({ channel: 'company-1-ticket', action: 'delete', id })

let tell: ((frames: Frame[]) => void) | null
let back: (() => void) | null
let joined: Room[]
let loads: { page: number; land: (page: Page<Row>) => void; fail: (error: Error) => void }[]
const line: LiveConnection = {
  subscribe: (_, listener) => {
    tell = listener
    return () => {
      tell = null
    }
  },
  join: (room) => {
    joined.push(room)
    return () => {
      joined = joined.filter((one) => one !== room)
    }
  },
  onReconnect: (listener) => {
    back = listener
    return () => {
      back = null
    }
  },
}

const soon = () => new Promise((resume) => setTimeout(resume))
const list = (more: Partial<CollectionOf<Row>> = {}) =>
  createLiveCollection<Row>(
    {
      topic,
      load: (page) => new Promise((land, fail) => loads.push({ page, land, fail })),
      belongs: ({ status }) => status === 'pending',
      pageSize: 3,
      ...more,
    },
    line,
  )
const land = async (rows: Row[], hasMore = false) => {
  loads.at(-1)!.land({ rows, hasMore })
  await soon()
}
const answered = async (failure: Error) => {
  loads.at(-1)!.fail(failure)
  await soon()
}

beforeEach(() => {
  tell = back = null
  joined = []
  loads = []
})

describe('a conversation that is opened at an older row', () => {
  const all = Array.from({ length: 20 }, (_, at) => row(at + 1))
  const late: { reply: (() => void) | null } = { reply: null }
  const page = (rows: Row[], hasMore: boolean) => Promise.resolve({ rows, hasMore })
  const conversation = () =>
    createLiveCollection<Row>(
      {
        topic,
        pageSize: 3,
        grows: 'up',
        order: (a, b) => a.at - b.at,
        load: (nth) => page(all.slice(-3 * nth, all.length - 3 * (nth - 1)), all.length > 3 * nth),
        from: {
          before: async (id) => {
            const at = all.findIndex((one) => one.id === id)
            return page(all.slice(Math.max(0, at - 3), at), at > 3)
          },
          since: async (id) => {
            const at = all.findIndex((one) => one.id === id)
            if (at < 0) throw new ApiError('ERR_FETCH_WAPP_MSG', {}, 404)
            const found = { rows: all.slice(at, at + 3), hasMore: at + 3 < all.length }
            if (late.reply) await new Promise<void>((resume) => (late.reply = resume))
            return found
          },
        },
      },
      line,
    )
  const opened = async (id: number) => {
    const [store, of] = [createStore(), conversation()]
    const off = store.sub(of.ids, () => {})
    await soon()
    await store.set(of.around, id)
    return { store, of, off, ids: () => store.get(of.ids) }
  }

  it('shows the rows around it, and grows in both directions until both ends', async () => {
    const { store, of, ids } = await opened(10)
    expect([ids(), store.get(of.hasMore), store.get(of.hasNewer)]).toEqual([[7, 8, 9, 10, 11, 12], true, true])
    await store.set(of.newer)
    await store.set(of.more)
    expect(ids()).toEqual([4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14])
    for (let pages = 0; pages < 3; pages++) await store.set(of.newer)
    expect([ids().at(-1), store.get(of.hasNewer)]).toEqual([20, false])
    await store.set(of.more)
    expect([ids(), store.get(of.hasMore)]).toEqual([all.map(({ id }) => id), false])
  })
  it('leaves out new rows until the rows reach the end, and changes those that it shows', async () => {
    const { store, of, ids } = await opened(10)
    tell!([put(row(21), 'create'), put(row(11, 'changed'))])
    expect(ids()).toEqual([7, 8, 9, 10, 11, 12])
    expect(store.get(of.row(11)).status).toBe('changed')
    for (let pages = 0; pages < 4; pages++) await store.set(of.newer)
    tell!([put(row(22), 'create')])
    expect(ids().at(-1)).toBe(22)
  })
  it('shows a row that arrives while the last page of newer rows is loading', async () => {
    const { store, of, ids } = await opened(16)
    late.reply = () => {}
    const loading = store.set(of.newer)
    await soon()
    tell!([put(row(21), 'create')])
    late.reply()
    late.reply = null
    await loading
    expect([ids(), store.get(of.hasNewer)]).toEqual([[13, 14, 15, 16, 17, 18, 19, 20, 21], false])
  })
  it('keeps its place after a lost connection, and shows the newest rows when loaded again', async () => {
    const { store, of, ids } = await opened(10)
    await store.set(of.newer)
    back!()
    await soon()
    await soon()
    expect([ids(), store.get(of.hasMore), store.get(of.hasNewer)]).toEqual([[7, 8, 9, 10, 11, 12, 13, 14, 15], true, true])
    await store.set(of.reload)
    expect([ids(), store.get(of.hasNewer)]).toEqual([[18, 19, 20], false])
  })
  it('keeps its rows and its state if the row does not exist', async () => {
    const { store, of, ids } = await opened(10)
    await expect(store.set(of.around, 99)).rejects.toThrow()
    expect([ids(), store.get(of.state), store.get(of.error)]).toEqual([[7, 8, 9, 10, 11, 12], 'ready', null])
  })
})

describe('a live list', () => {
  it('joins and loads when first shown, and leaves when hidden', async () => {
    const [store, of] = [createStore(), list({ room: { name: 'Tickets', data: { status: 'pending' } } })]
    expect(tell).toBeNull()
    const off = store.sub(of.ids, () => {})
    expect([joined.length, loads.length]).toEqual([1, 1])
    off()
    expect([tell, back, joined.length]).toEqual([null, null, 0])
  })

  it('applies changes that arrive before the first page', async () => {
    const [store, of] = [createStore(), list()]
    store.sub(of.ids, () => {})
    tell!([drop(2), put(row(3))])
    expect([store.get(of.ids), store.get(of.state)]).toEqual([[], 'loading'])
    await land([row(1), row(2), row(3, 'stale')])
    expect(store.get(of.ids)).toEqual([3, 1])
    expect(store.get(of.row(3)).status).toBe('pending')
    expect(store.get(of.state)).toBe('ready')
  })

  it('updates only the changed row', async () => {
    const [store, of] = [createStore(), list()]
    let orders = 0
    let draws = 0
    store.sub(of.ids, () => orders++)
    await land([row(1), row(2)])
    store.sub(of.row(1), () => draws++)
    orders = 0
    tell!([put(row(2, 'pending', 50))])
    expect([orders, draws]).toEqual([0, 0])
    tell!([put(row(1, 'pending', 51))])
    expect([orders, draws]).toEqual([0, 1])
  })

  it('removes a row that no longer belongs and adds one that does', async () => {
    const [store, of] = [createStore(), list()]
    store.sub(of.ids, () => {})
    await land([row(1), row(2)])
    tell!([put(row(1, 'open')), put(row(9, 'pending'), 'create'), put(row(8, 'open'))])
    expect(store.get(of.ids)).toEqual([9, 2])
    tell!([drop(2), drop(77)])
    expect(store.get(of.ids)).toEqual([9])
  })

  it('keeps its sort order', async () => {
    const [store, of] = [createStore(), list({ order: (a, b) => b.at - a.at })]
    store.sub(of.ids, () => {})
    await land([row(1, 'pending', 30), row(2, 'pending', 20), row(3, 'pending', 10)])
    tell!([put(row(3, 'pending', 25))])
    expect(store.get(of.ids)).toEqual([1, 3, 2])
    tell!([put(row(4, 'pending', 99))])
    expect(store.get(of.ids)).toEqual([4, 1, 3, 2])
  })

  it('does not add a row that belongs to a later page', async () => {
    const [store, of] = [createStore(), list({ order: (a, b) => a.at - b.at })]
    store.sub(of.ids, () => {})
    await land([row(1), row(2), row(3)], true)
    tell!([put(row(50))])
    expect(store.get(of.ids)).toEqual([1, 2, 3])
  })
})

describe('further pages', () => {
  it('continue after the loaded rows and skip known rows', async () => {
    const [store, of] = [createStore(), list()]
    store.sub(of.ids, () => {})
    await land([row(1), row(2), row(3)], true)
    tell!([put(row(9), 'create')]) // moves row 3 over to the second page
    void store.set(of.more)
    expect(loads.at(-1)!.page).toBe(2)
    await land([row(3), row(4), row(5)])
    expect(store.get(of.ids)).toEqual([9, 1, 2, 3, 4, 5])
    expect(store.get(of.hasMore)).toBe(false)
  })

  it('load once for several requests', async () => {
    const [store, of] = [createStore(), list()]
    store.sub(of.ids, () => {})
    await land([row(1), row(2), row(3)], true)
    void store.set(of.more)
    void store.set(of.more)
    expect(loads).toHaveLength(2)
  })

  it('load a page again from which rows were removed', async () => {
    const [store, of] = [createStore(), list()]
    store.sub(of.ids, () => {})
    await land([row(1), row(2), row(3)], true)
    tell!([drop(1)])
    void store.set(of.more)
    expect(loads.at(-1)!.page).toBe(1)
    await land([row(2), row(3), row(4)], true)
    expect(store.get(of.ids)).toEqual([2, 3, 4])
  })

  it('do not restore what changed while they loaded', async () => {
    const [store, of] = [createStore(), list()]
    store.sub(of.ids, () => {})
    await land([row(1), row(2), row(3)], true)
    void store.set(of.more)
    tell!([drop(4), put(row(2, 'pending', 70))])
    await land([row(4), row(5), row(6)])
    expect(store.get(of.ids)).toEqual([1, 2, 3, 5, 6])
    expect(store.get(of.row(2)).at).toBe(70)
  })

  it('are added above in a list that grows upwards', async () => {
    const [store, of] = [createStore(), list({ grows: 'up', order: (a, b) => a.id - b.id })]
    store.sub(of.ids, () => {})
    await land([row(4), row(5), row(6)], true)
    tell!([put(row(7), 'create')])
    void store.set(of.more)
    await land([row(1), row(2), row(3)])
    expect(store.get(of.ids)).toEqual([1, 2, 3, 4, 5, 6, 7])
  })
})

describe('after a reconnect', () => {
  it('the shown rows are loaded again and stay visible meanwhile', async () => {
    const [store, of] = [createStore(), list()]
    store.sub(of.ids, () => {})
    await land([row(1), row(2)])
    back!()
    expect(store.get(of.ids)).toEqual([1, 2])
    tell!([put(row(5))])
    await land([row(2, 'pending', 9), row(3)])
    expect(store.get(of.ids)).toEqual([5, 2, 3])
    expect(store.get(of.row(2)).at).toBe(9)
  })

  it('a refresh frame loads the rows again too', async () => {
    const [store, of] = [createStore(), list()]
    store.sub(of.ids, () => {})
    await land([row(1)])
    tell!([{ channel: 'company-1-ticket', action: 'refresh' }])
    expect(loads).toHaveLength(2)
  })

  it('an outdated page is ignored', async () => {
    const [store, of] = [createStore(), list()]
    store.sub(of.ids, () => {})
    back!()
    loads[0]!.land({ rows: [row(1)], hasMore: false })
    await soon()
    expect(store.get(of.ids)).toEqual([])
    loads[1]!.land({ rows: [row(2)], hasMore: false })
    await soon()
    expect(store.get(of.ids)).toEqual([2])
  })
})

describe('a list that failed to load', () => {
  it('shows the error and can be loaded again', async () => {
    const [store, of] = [createStore(), list()]
    store.sub(of.ids, () => {})
    await answered(new Error('no'))
    expect(store.get(of.state)).toBe('failed')
    void store.set(of.reload)
    expect(store.get(of.state)).toBe('loading')
    await land([row(1)])
    expect([store.get(of.state), store.get(of.error)]).toEqual(['ready', null])
  })

  it('retries by itself while offline, and shows the error meanwhile', async () => {
    vi.useFakeTimers()
    try {
      const [store, of] = [createStore(), list()]
      const leave = store.sub(of.ids, () => {})
      loads[0]!.fail(new Offline())
      await vi.advanceTimersByTimeAsync(10)
      expect(store.get(of.state)).toBe('failed')
      await vi.runOnlyPendingTimersAsync()
      expect([loads.length, store.get(of.state)]).toEqual([2, 'failed'])
      loads[1]!.fail(new ApiError('ERR_NO_PERMISSION', {}, 403))
      await vi.runOnlyPendingTimersAsync()
      expect(loads.length).toBe(2) // a refusal stands until somebody asks
      back!()
      loads[2]!.land({ rows: [row(1)], hasMore: false })
      await vi.advanceTimersByTimeAsync(10)
      expect([store.get(of.state), store.get(of.error)]).toEqual(['ready', null])
      leave()
    } finally {
      vi.useRealTimers()
    }
  })

  it('keeps its rows', async () => {
    const [store, of] = [createStore(), list()]
    store.sub(of.ids, () => {})
    await land([row(1)])
    back!()
    await answered(new Error('no'))
    expect([store.get(of.ids), store.get(of.state)]).toEqual([[1], 'ready'])
  })
})

describe('a single row', () => {
  const one = () =>
    createLiveRow<Row>(
      {
        topic,
        load: () => new Promise((resolve, fail) => loads.push({ page: 1, fail, land: ({ rows }) => resolve(rows[0]!) })),
        belongs: ({ id }) => id === 7,
      },
      line,
    )

  it('is updated, ignores other rows, and reports its deletion', async () => {
    const [store, of] = [createStore(), one()]
    store.sub(of, () => {})
    await land([row(7)])
    tell!([put(row(8)), put(row(7, 'open'))])
    expect(store.get(of)).toMatchObject({ state: 'ready', row: { id: 7, status: 'open' } })
    tell!([drop(7)])
    expect(store.get(of)).toMatchObject({ state: 'gone', row: null })
  })

  it('is reported deleted if the reload after a reconnect answers not found or forbidden', async () => {
    const [store, of] = [createStore(), one()]
    store.sub(of, () => {})
    await answered(new ApiError('ERR_NO_TICKET_FOUND', {}, 404))
    expect(store.get(of)).toMatchObject({ state: 'failed', error: { code: 'ERR_NO_TICKET_FOUND' } }) // it never stood here
    void store.set(of.reload)
    await land([row(7)])
    back!()
    await answered(new Offline())
    expect(store.get(of)).toMatchObject({ state: 'ready', row: { id: 7 } })
    back!()
    await answered(new ApiError('ERR_NO_PERMISSION', {}, 403))
    expect(store.get(of)).toMatchObject({ state: 'gone', row: null })
  })
})

it('a frozen list has no row for an id that was not loaded, like a live one', async () => {
  const one = list()
  const store = createStore()
  store.sub(one.ids, () => {})
  await land([row(1)])
  const still = frozen(store, one)
  expect([store.get(still.row(1)), store.get(still.row(9)), store.get(one.row(9))]).toEqual([row(1), null, null])
})
