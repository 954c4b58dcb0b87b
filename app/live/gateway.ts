import type { Kysely } from 'kysely'
import type { Viewer } from '#domain/access.ts'
import type { RoomName } from '#domain/live/contract.ts'
import type { Topic } from '#domain/topic.ts'
import type { Database } from '#projections/database.ts'

type Row = { id: number; companyId: number }
export type Op = 'insert' | 'update' | 'delete'

/** One browser's socket, with its viewer and the rooms that it has joined. */
export type SocketSession = {
  viewer: Viewer
  sessionId: string
  /** The company's subscription has expired: the session receives no rows until it is renewed (A-AUTH-06). */
  expired: boolean
  send: (frame: Buffer) => void
  close: (code: number, reason: string) => void
  /**
   * Joined rooms, by the key of each kind: a list by its status, a chat by its ticket id, a history by its
   * uuid.
   */
  rooms: Record<RoomName, Set<RoomKey>>
}
export type RoomKey = string | number
export const noRooms = (): SocketSession['rooms'] => ({
  Tickets: new Set(),
  Notification: new Set(),
  ChatBox: new Set(),
  History: new Set(),
})

/** Returns whether the session shows ticket lists or notifications. */
export const inList = ({ rooms }: SocketSession): boolean => rooms.Tickets.size > 0 || rooms.Notification.size > 0

export type LiveTopic<R extends Row = any> = {
  topic: Topic<R>
  load: (companyId: number, ids: number[]) => Promise<R[]>
  /**
   * Loads traces of the rows that many screens show. Without them, the first change after a start would go to
   * every session.
   */
  standing?: (companyId: number) => Promise<(Row & Partial<R>)[]>
  /** The row for masked viewers; the same object if nothing is hidden. */
  veil?: (row: R) => R
  /** The name in the notification, if it differs from the topic's name. */
  changeName?: string
  /**
   * A second frame after the row's, to the same sessions; on the topic's channel, unless the frame names
   * another.
   */
  beside?: (row: R, before: Partial<R> | undefined) => { action: string; [field: string]: unknown } | null
  /** The fields of the previous row that `sees`, `joined` and `beside` need. Other fields are not kept. */
  trace?: (row: R) => Partial<R>
  /** Another topic that these users must reload when a row changes, whether they see the row or not. */
  concerns?: { topic: Topic; whom: (row: R, before: Partial<R> | undefined) => (number | null)[] }
  /** Returns whether the session has joined the row's room. Every session is in the room of a plain list. */
  joined?: (seat: SocketSession, row: R, op: Op) => boolean
  /** Extra fields of the removal frame, for sessions that had the row open. */
  parting?: (row: R) => object | null
  /** Returns whether the session has the row open. */
  open?: (seat: SocketSession, row: { id: number }) => boolean
  /** Returns whether the session could need this topic at all; evaluated before any read. */
  wanted?: (seat: SocketSession) => boolean
}

/** Loads the rows of a plain list directly from its table. */
export const rowsOf =
  (db: Kysely<Database>, table: 'tag' | 'companySetting'): LiveTopic['load'] =>
  (companyId, ids) =>
    db.selectFrom(table).selectAll().where('companyId', '=', companyId).where('id', 'in', ids).execute()

/** Limit of remembered rows. They let the gateway skip frames for changes that nobody can or could see. */
const remembered = 20_000

/**
 * Postgres reports which row changed. The gateway reads the row once, after a short pause, and sends it to
 * every session that may see it. For all others the row is removed, so deletion and loss of sight look the
 * same. `heardSoFar` resolves once all earlier notifications have been processed.
 */
export function createLiveGateway(liveTopics: LiveTopic[], onError: (error: unknown) => void, heardSoFar: () => Promise<void>, pause = 4) {
  const companies = new Map<number, Set<SocketSession>>()
  const changed = new Map<string, Map<number, Op>>()
  const last = new Map<string, Row>()
  const topics = new Map(liveTopics.map((one) => [one.changeName ?? one.topic.name, one]))
  /** Companies whose visible rows were loaded, and the ids that change while they load. */
  const learned = new Set<number>()
  const learning = new Map<string, Set<number>>()
  /** Counts reconnects: a row that was read before one may be outdated. */
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
          (before ? topic.sees(seat.viewer, before) : op !== 'insert') && // nobody could see a new row before
          (!joined || joined(seat, before ?? row ?? ({ id, companyId } as Row), 'delete'))
        )
          seat.send(has?.(seat, { id }) ? goneIfOpen : gone)
      }
    }
    if (!concerns || concerned.size === 0) return
    const anew = frame({ channel: channel(companyId, concerns.topic.name), action: 'refresh' })
    for (const seat of companies.get(companyId) ?? []) if (!seat.expired && concerned.has(seat.viewer.id)) seat.send(anew)
  }

  /**
   * Runs one at a time per topic, because a slow read would otherwise send an old row after a new one. After
   * a failed read everyone reloads.
   */
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

  /**
   * Loads the visible rows of a company once. Otherwise nobody knows who saw a changed row, and every session
   * would receive the frame.
   */
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
        await heardSoFar() // waits for changes that these rows already contain, because their frames still need the earlier rows
        if (learning.get(key) !== meanwhile) continue // a reconnect happened meanwhile
        for (const row of rows) if (!meanwhile.has(row.id) && !last.has(`${key} ${row.id}`)) remember(`${key} ${row.id}`, row)
      } catch (error) {
        learned.delete(companyId) // the next session tries again
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
    /** Handles one notification of the `changes` channel: "<topic> <op> <company> <id>,<id>…". */
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
        for (const id of ids) last.delete(`${key} ${id}`) // the remembered row is outdated
        return
      }
      const waiting = changed.get(key)
      const ops = waiting ?? new Map<number, Op>()
      for (const id of ids) ops.set(id, ops.get(id) === 'insert' && op === 'update' ? 'insert' : (op as Op))
      if (waiting) return
      changed.set(key, ops)
      setTimeout(() => inTurn(key, known, companyId), pause)
    },
    /** Notifications may have been lost: every session reloads what it shows. */
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
    /** Sends a frame to all sessions of a company, or of one user. */
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
