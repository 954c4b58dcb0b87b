import type { Kysely } from 'kysely'
import type { Viewer } from '#domain/access.ts'
import type { RoomName } from '#domain/live/contract.ts'
import type { Topic } from '#domain/topic.ts'
import type { Database } from '#projections/database.ts'
import { createKeyedSerializer } from '../concurrency/keyed-serializer.ts'

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
export const showsLists = ({ rooms }: SocketSession): boolean => rooms.Tickets.size > 0 || rooms.Notification.size > 0

export type LiveTopic<R extends Row = any> = {
  topic: Topic<R>
  load: (companyId: number, ids: number[]) => Promise<R[]>
  /**
   * Loads traces of the rows that many screens show. Without them, the first change after a start would go to
   * every session.
   */
  loadInitialRows?: (companyId: number) => Promise<(Row & Partial<R>)[]>
  /** The row for masked viewers; the same object if nothing is hidden. */
  mask?: (row: R) => R
  /** The name in the notification, if it differs from the topic's name. */
  changeName?: string
  /**
   * Frames after the row's, to the same sessions; on the topic's channel, unless a frame names another.
   */
  toCompanionFrames?: (row: R, before: Partial<R> | undefined) => { action: string; [field: string]: unknown }[]
  /** The fields of the previous row that `sees`, `isInRoom` and `toCompanionFrames` need. Other fields are not kept. */
  trackedFields?: (row: R) => Partial<R>
  /** Another topic that these users must reload when a row changes, whether they see the row or not. */
  invalidates?: { topic: Topic; whom: (row: R, before: Partial<R> | undefined) => (number | null)[] }
  /** Returns whether the session has joined a room of the row as it is, or was before. Every session is in the room of a plain list. */
  isInRoom?: (session: SocketSession, row: R, op: Op, before?: Partial<R>) => boolean
  /** Extra fields of the removal frame, for sessions that had the row open. */
  toRemovalDetails?: (row: R) => object | null
  /** Returns whether the session has the row open. */
  hasOpen?: (session: SocketSession, row: { id: number }) => boolean
  /** Returns whether the session could need this topic at all; evaluated before any read. */
  isSubscribed?: (session: SocketSession) => boolean
}

/** Loads the rows of a plain list directly from its table. */
export const rowsOf =
  (db: Kysely<Database>, table: 'tag' | 'companySetting'): LiveTopic['load'] =>
  (companyId, ids) =>
    db.selectFrom(table).selectAll().where('companyId', '=', companyId).where('id', 'in', ids).execute()

/** Limit of remembered rows. They let the gateway skip frames for changes that nobody can or could see. */
const rowLimit = 20_000

/**
 * Postgres reports which row changed. The gateway reads the row once, after a short pause, and sends it to
 * every session that may see it. For all others the row is removed, so deletion and loss of sight look the
 * same. `flushNotifications` resolves once all earlier notifications have been processed.
 */
export function createLiveGateway(
  liveTopics: LiveTopic[],
  onError: (error: unknown) => void,
  flushNotifications: () => Promise<void>,
  pause = 4,
) {
  const state = createState(liveTopics)
  const { companies, lastRows, loadedCompanies, changesDuringLoad } = state
  const refresh = createRefresh(state)
  const loadInitialRowsOf = createInitialLoader(state, onError, flushNotifications)

  return {
    onChange: createChangeHandler(state, refresh, onError, pause),
    /** Notifications may have been lost: every session reloads what it shows. */
    refresh(): void {
      state.reconnects += 1
      lastRows.clear()
      loadedCompanies.clear()
      changesDuringLoad.clear()
      for (const companyId of companies.keys()) {
        refresh(companyId, liveTopics)
        void loadInitialRowsOf(companyId)
      }
    },
    /** Sends a frame to all sessions of a company, or of one user. */
    broadcast(companyId: number, content: object, userId: number | null = null): void {
      const one = frame(content)
      for (const session of companies.get(companyId) ?? []) if (userId === null || session.viewer.id === userId) session.send(one)
    },
    addSession(session: SocketSession): () => void {
      const { companyId } = session.viewer
      const sessions = companies.get(companyId) ?? new Set()
      companies.set(companyId, sessions.add(session))
      void loadInitialRowsOf(companyId)
      return () => {
        sessions.delete(session)
        if (sessions.size === 0) companies.delete(companyId)
      }
    },
    sessions: (companyId?: number): SocketSession[] => [
      ...(companyId === undefined ? [...companies.values()].flatMap((all) => [...all]) : (companies.get(companyId) ?? [])),
    ],
  }
}

type GatewayState = ReturnType<typeof createState>
function createState(liveTopics: LiveTopic[]) {
  const lastRows = new Map<string, Row>()
  function remember(key: string, row: Row | undefined): void {
    lastRows.delete(key)
    if (!row) return
    lastRows.set(key, row)
    if (lastRows.size > rowLimit) lastRows.delete(lastRows.keys().next().value!)
  }
  return {
    companies: new Map<number, Set<SocketSession>>(),
    changed: new Map<string, Map<number, Op>>(),
    lastRows,
    remember,
    topics: new Map(liveTopics.map((one) => [one.changeName ?? one.topic.name, one])),
    /** Companies whose visible rows were loaded, and the ids that change while they load. */
    loadedCompanies: new Set<number>(),
    changesDuringLoad: new Map<string, Set<number>>(),
    /** Counts reconnects: a row that was read before one may be outdated. */
    reconnects: 0,
  }
}
const channel = (companyId: number, name: string) => `company-${companyId}-${name}`
const frame = (content: object) => Buffer.from(JSON.stringify(content))

/** Sends the changed rows of a topic. */
function createShow(state: GatewayState) {
  const { companies, changed, lastRows, remember } = state
  async function show(
    {
      topic,
      changeName = topic.name,
      load,
      mask,
      trackedFields,
      isInRoom,
      toRemovalDetails,
      hasOpen,
      toCompanionFrames,
      invalidates,
    }: LiveTopic,
    companyId: number,
  ): Promise<void> {
    const key = `${companyId} ${changeName}`
    const ops = changed.get(key) ?? new Map<number, Op>()
    changed.delete(key)
    const ids = [...ops.keys()]
    const since = state.reconnects
    const rows = new Map((await load(companyId, ids)).map((row) => [row.id, row]))
    const name = channel(companyId, topic.name)
    const affectedUserIds = new Set<number | null>()
    for (const id of ids) {
      const row = rows.get(id)
      const before = lastRows.get(`${key} ${id}`)
      for (const userId of (row && invalidates?.whom(row, before)) ?? []) affectedUserIds.add(userId)
      remember(
        `${key} ${id}`,
        since !== state.reconnects ? undefined : row && ({ id, companyId, ...(trackedFields ? trackedFields(row) : row) } as Row),
      )
      const op = ops.get(id)!
      const toFrame = (content: Row) => frame({ channel: name, action: op === 'insert' ? 'create' : 'update', id, [topic.field]: content })
      const open = row && toFrame(row)
      const maskedFrame = row && mask ? toFrame(mask(row)) : open
      const removal = { channel: name, action: 'delete', id, [`${topic.field}Id`]: id }
      const companions = ((row && toCompanionFrames?.(row, before)) ?? []).map((content: object) => frame({ channel: name, ...content }))
      const removalFrame = frame(removal)
      const removalDetails = (row && toRemovalDetails?.(row)) ?? null
      const removalFrameIfOpen = removalDetails ? frame({ ...removal, ...removalDetails }) : removalFrame
      for (const session of companies.get(companyId) ?? []) {
        if (session.expired) continue
        if (row && topic.sees(session.viewer, row)) {
          if (isInRoom && !isInRoom(session, row, op, before)) continue
          session.send((session.viewer.masked ? maskedFrame : open)!)
          for (const one of companions) session.send(one)
        } else if (
          (before ? topic.sees(session.viewer, before) : op !== 'insert') && // nobody could see a new row before
          (!isInRoom || isInRoom(session, before ?? row ?? ({ id, companyId } as Row), 'delete', before))
        )
          session.send(hasOpen?.(session, { id }) ? removalFrameIfOpen : removalFrame)
      }
    }
    if (!invalidates || affectedUserIds.size === 0) return
    const refreshFrame = frame({ channel: channel(companyId, invalidates.topic.name), action: 'refresh' })
    for (const session of companies.get(companyId) ?? [])
      if (!session.expired && affectedUserIds.has(session.viewer.id)) session.send(refreshFrame)
  }
  return show
}

type Refresh = (companyId: number, topics: LiveTopic[]) => void
const createRefresh =
  ({ companies }: GatewayState): Refresh =>
  (companyId, topics) => {
    const frames = topics.map(({ topic }) => frame({ channel: channel(companyId, topic.name), action: 'refresh' }))
    for (const session of companies.get(companyId) ?? []) for (const one of frames) session.send(one)
  }

function createInitialLoader(state: GatewayState, onError: (error: unknown) => void, flushNotifications: () => Promise<void>) {
  const { companies, topics, lastRows, remember, loadedCompanies, changesDuringLoad } = state
  /**
   * Loads the visible rows of a company once. Otherwise nobody knows who saw a changed row, and every session
   * would receive the frame.
   */
  async function loadInitialRowsOf(companyId: number): Promise<void> {
    if (loadedCompanies.has(companyId)) return
    loadedCompanies.add(companyId)
    for (const [changeName, { loadInitialRows }] of topics) {
      if (!loadInitialRows) continue
      const key = `${companyId} ${changeName}`
      const changedIds = new Set<number>()
      changesDuringLoad.set(key, changedIds)
      try {
        const rows = await loadInitialRows(companyId)
        await flushNotifications() // waits for changes that these rows already contain, because their frames still need the earlier rows
        if (changesDuringLoad.get(key) !== changedIds) continue // a reconnect happened meanwhile
        for (const row of rows) if (!changedIds.has(row.id) && !lastRows.has(`${key} ${row.id}`)) remember(`${key} ${row.id}`, row)
      } catch (error) {
        loadedCompanies.delete(companyId) // the next session tries again
        if (companies.has(companyId)) onError(error)
      }
      if (changesDuringLoad.get(key) === changedIds) changesDuringLoad.delete(key)
    }
  }
  return loadInitialRowsOf
}

function createChangeHandler(state: GatewayState, refresh: Refresh, onError: (error: unknown) => void, pause: number) {
  const { companies, changed, lastRows, topics, changesDuringLoad } = state
  const show = createShow(state)
  /**
   * Runs one at a time per topic, because a slow read would otherwise send an old row after a new one. After
   * a failed read everyone reloads.
   */
  const turns = createKeyedSerializer<string>()
  function enqueueTurn(key: string, known: LiveTopic, companyId: number): void {
    turns
      .run([key], () => show(known, companyId))
      .catch((error: unknown) => {
        onError(error)
        setTimeout(() => refresh(companyId, [known]), 1000).unref()
      })
  }
  /** Handles one notification of the `changes` channel: "<topic> <op> <company> <id>,<id>…". */
  return function onChange(line: string): void {
    const [name = '', op = 'update', company, list = ''] = line.split(' ')
    const known = topics.get(name)
    const companyId = Number(company)
    if (!known) return
    const sessions = companies.get(companyId)
    const key = `${companyId} ${name}`
    const ids = list.split(',').map(Number)
    for (const id of ids) changesDuringLoad.get(key)?.add(id)
    const hasSubscribers = sessions && (!known.isSubscribed || [...sessions].some(known.isSubscribed))
    if (!hasSubscribers && !changed.has(key) && !turns.has(key)) {
      for (const id of ids) lastRows.delete(`${key} ${id}`) // the remembered row is outdated
      return
    }
    const waiting = changed.get(key)
    const ops = waiting ?? new Map<number, Op>()
    for (const id of ids) ops.set(id, ops.get(id) === 'insert' && op === 'update' ? 'insert' : (op as Op))
    if (waiting) return
    changed.set(key, ops)
    setTimeout(() => enqueueTurn(key, known, companyId), pause)
  }
}
export type Gateway = ReturnType<typeof createLiveGateway>
