import type { Kysely } from 'kysely'
import type { Viewer } from '#domain/access.ts'
import type { RoomName } from '#domain/live/contract.ts'
import type { Topic } from '#domain/topic.ts'
import type { Database } from '#projections/database.ts'

type Row = { id: number; companyId: number }
export type Op = 'insert' | 'update' | 'delete'

/** What a socket wants to hear of a topic: all of its company's, or what it has joined. */
export type SocketSession = {
  viewer: Viewer
  sessionId: string
  /** Its company has not paid: it hears when it has, and of no rows until then (A-AUTH-06). */
  expired: boolean
  send: (frame: Buffer) => void
  close: (code: number, reason: string) => void
  /** What it has joined, by what names one of its kind: a list by its status, a chat by its ticket's id, a history by its uuid. */
  rooms: Record<RoomName, Set<RoomKey>>
}
export type RoomKey = string | number
export const noRooms = (): SocketSession['rooms'] => ({
  Tickets: new Set(),
  Notification: new Set(),
  ChatBox: new Set(),
  History: new Set(),
})

/** Whether it shows lists of tickets, or tells of what comes in. */
export const inList = ({ rooms }: SocketSession): boolean => rooms.Tickets.size > 0 || rooms.Notification.size > 0

export type LiveTopic<R extends Row = any> = {
  topic: Topic<R>
  load: (companyId: number, ids: number[]) => Promise<R[]>
  /** Traces of the rows that stand on many screens, so that of the first change in a process not every seat has to be told. */
  standing?: (companyId: number) => Promise<(Row & Partial<R>)[]>
  /** The row for those who must not see all of it; the same object where nothing is hidden. */
  veil?: (row: R) => R
  /** The name its rows are told under, where it is not the topic's. */
  changeName?: string
  /** A frame of its own that goes out behind the row's, to the same seats; on its channel, where it names none. */
  beside?: (row: R, before: Partial<R> | undefined) => { action: string; [field: string]: unknown } | null
  /** What `sees`, `joined` and `beside` need of a row as it was; the rest is not kept. */
  trace?: (row: R) => Partial<R>
  /** What else is to be read anew when a row changes, by whom, whether they see the row or not. */
  concerns?: { topic: Topic; whom: (row: R, before: Partial<R> | undefined) => (number | null)[] }
  /** Whether this seat has joined what the row belongs to; a plain list is joined by everyone. */
  joined?: (seat: SocketSession, row: R, op: Op) => boolean
  /** What whoever had it open is told of a row that leaves their sight. */
  parting?: (row: R) => object | null
  /** Whether this seat has the row open. */
  open?: (seat: SocketSession, row: { id: number }) => boolean
  /** Whether any seat could want this topic at all, before anything is read. */
  wanted?: (seat: SocketSession) => boolean
}

/** How a plain list's rows are read: as they stand in its table. */
export const rowsOf =
  (db: Kysely<Database>, table: 'tag' | 'companySetting'): LiveTopic['load'] =>
  (companyId, ids) =>
    db.selectFrom(table).selectAll().where('companyId', '=', companyId).where('id', 'in', ids).execute()

/** Rows last seen, so that a change nobody could or can see costs no frame. */
const remembered = 20_000

/**
 * Postgres says which row changed; the gateway reads it once, a moment later, says it once, and shows it to whoever may see it.
 * To everyone else the row is dropped, so moving out of sight and being deleted look the same. `heardSoFar`: every change that was made
 * before has been heard.
 */
export function createLiveGateway(liveTopics: LiveTopic[], onError: (error: unknown) => void, heardSoFar: () => Promise<void>, pause = 4) {
  const companies = new Map<number, Set<SocketSession>>()
  const changed = new Map<string, Map<number, Op>>()
  const last = new Map<string, Row>()
  const topics = new Map(liveTopics.map((one) => [one.changeName ?? one.topic.name, one]))
  /** Of which companies it was looked up what stands there; and what changes while it is. */
  const learned = new Set<number>()
  const learning = new Map<string, Set<number>>()
  /** How often something was missed: what was read before is not how it stands behind that. */
  let missed = 0
  const channel = (companyId: number, name: string) => `company-${companyId}-${name}`
  const frame = (content: object) => Buffer.from(JSON.stringify(content))

  async function show(
    { topic, changeName = topic.name, load, veil, trace, joined, parting, open: has, beside, concerns }: LiveTopic,
    companyId: number,
  ): Promise<void> {
    const key = `${companyId} ${changeName}`
    const ops = changed.get(key) ?? new Map<number, Op>()
    changed.delete(key)
    const ids = [...ops.keys()]
    const since = missed
    const rows = new Map((await load(companyId, ids)).map((row) => [row.id, row]))
    const name = channel(companyId, topic.name)
    const concerned = new Set<number | null>()
    for (const id of ids) {
      const row = rows.get(id)
      const before = last.get(`${key} ${id}`)
      for (const userId of (row && concerns?.whom(row, before)) ?? []) concerned.add(userId)
      remember(`${key} ${id}`, since !== missed ? undefined : row && ({ id, companyId, ...(trace ? trace(row) : row) } as Row))
      const op = ops.get(id)!
      const say = (content: Row) => frame({ channel: name, action: op === 'insert' ? 'create' : 'update', id, [topic.field]: content })
      const open = row && say(row)
      const veiled = row && veil ? say(veil(row)) : open
      const away = { channel: name, action: 'delete', id, [`${topic.field}Id`]: id }
      const more = row && beside?.(row, before)
      const extra = more && frame({ channel: name, ...more })
      const gone = frame(away)
      const partingFields = (row && parting?.(row)) ?? null
      const goneIfOpen = partingFields ? frame({ ...away, ...partingFields }) : gone
      for (const seat of companies.get(companyId) ?? []) {
        if (seat.expired) continue
        if (row && topic.sees(seat.viewer, row)) {
          if (joined && !joined(seat, row, op)) continue
          seat.send((seat.viewer.masked ? veiled : open)!)
          if (extra) seat.send(extra)
        } else if (
          (before ? topic.sees(seat.viewer, before) : op !== 'insert') && // what is new was in nobody's sight
          (!joined || joined(seat, before ?? row ?? ({ id, companyId } as Row), 'delete'))
        )
          seat.send(has?.(seat, { id }) ? goneIfOpen : gone)
      }
    }
    if (!concerns || concerned.size === 0) return
    const anew = frame({ channel: channel(companyId, concerns.topic.name), action: 'refresh' })
    for (const seat of companies.get(companyId) ?? []) if (!seat.expired && concerned.has(seat.viewer.id)) seat.send(anew)
  }

  /** One after another within a topic, or a slow read would show an old row after a new one. What could not be read, everyone reads again. */
  const turns = new Map<string, Promise<void>>()
  function inTurn(key: string, known: LiveTopic, companyId: number): void {
    const failed = (error: unknown) => {
      onError(error)
      setTimeout(() => refresh(companyId, [known]), 1000).unref()
    }
    const turn: Promise<void> = (turns.get(key) ?? Promise.resolve())
      .then(() => show(known, companyId))
      .catch(failed)
      .then(() => void (turns.get(key) === turn && turns.delete(key)))
    turns.set(key, turn)
  }
  function refresh(companyId: number, topics: LiveTopic[]): void {
    const frames = topics.map(({ topic }) => frame({ channel: channel(companyId, topic.name), action: 'refresh' }))
    for (const seat of companies.get(companyId) ?? []) for (const one of frames) seat.send(one)
  }

  /** Who saw a row that nobody knows of is not known either, and everyone would be told: what stands in the lists is looked up once. */
  async function learn(companyId: number): Promise<void> {
    if (learned.has(companyId)) return
    learned.add(companyId)
    for (const [changeName, { standing }] of topics) {
      if (!standing) continue
      const key = `${companyId} ${changeName}`
      const meanwhile = new Set<number>()
      learning.set(key, meanwhile)
      try {
        const rows = await standing(companyId)
        await heardSoFar() // a change that these rows hold already would be kept from those who saw them before
        if (learning.get(key) !== meanwhile) continue // something was missed
        for (const row of rows) if (!meanwhile.has(row.id) && !last.has(`${key} ${row.id}`)) remember(`${key} ${row.id}`, row)
      } catch (error) {
        learned.delete(companyId) // the next seat asks again
        if (companies.has(companyId)) onError(error)
      }
      if (learning.get(key) === meanwhile) learning.delete(key)
    }
  }

  function remember(key: string, row: Row | undefined): void {
    last.delete(key)
    if (!row) return
    last.set(key, row)
    if (last.size > remembered) last.delete(last.keys().next().value!)
  }

  return {
    /** A line of the `changes` channel: "<topic> <op> <company> <id>,<id>…". */
    hear(line: string): void {
      const [name = '', op = 'update', company, list = ''] = line.split(' ')
      const known = topics.get(name)
      const companyId = Number(company)
      if (!known) return
      const seats = companies.get(companyId)
      const key = `${companyId} ${name}`
      const ids = list.split(',').map(Number)
      for (const id of ids) learning.get(key)?.add(id)
      const wanted = seats && (!known.wanted || [...seats].some(known.wanted))
      if (!wanted && !changed.has(key) && !turns.has(key)) {
        for (const id of ids) last.delete(`${key} ${id}`) // as it was is not as it is any more
        return
      }
      const waiting = changed.get(key)
      const ops = waiting ?? new Map<number, Op>()
      for (const id of ids) ops.set(id, ops.get(id) === 'insert' && op === 'update' ? 'insert' : (op as Op))
      if (waiting) return
      changed.set(key, ops)
      setTimeout(() => inTurn(key, known, companyId), pause)
    },
    /** Something was missed: everyone reads again what they show. */
    refresh(): void {
      missed += 1
      last.clear()
      learned.clear()
      learning.clear()
      for (const companyId of companies.keys()) {
        refresh(companyId, liveTopics)
        void learn(companyId)
      }
    },
    /** A frame made elsewhere, for everyone of a company or for one user of it. */
    tell(companyId: number, content: object, userId: number | null = null): void {
      const one = frame(content)
      for (const seat of companies.get(companyId) ?? []) if (userId === null || seat.viewer.id === userId) seat.send(one)
    },
    enter(seat: SocketSession): () => void {
      const { companyId } = seat.viewer
      const seats = companies.get(companyId) ?? new Set()
      companies.set(companyId, seats.add(seat))
      void learn(companyId)
      return () => {
        seats.delete(seat)
        if (seats.size === 0) companies.delete(companyId)
      }
    },
    seats: (companyId?: number): SocketSession[] => [
      ...(companyId === undefined ? [...companies.values()].flatMap((all) => [...all]) : (companies.get(companyId) ?? [])),
    ],
  }
}
export type Gateway = ReturnType<typeof createLiveGateway>
