import { minuteMs } from '#domain/duration/rules.ts'
import type { TicketRow } from '#domain/ticket/contract.ts'
import { type Limits, urgency } from '#web/ticket/list/urgency.ts'

export type Agent = { id: number; name: string; online: boolean }
/** `id`: the agent, or which waiting tickets the column shows. */
export type Column<Row = TicketRow> = { id: number | 'waiting' | 'bot'; agent: Agent | null; tickets: Row[] }
/** What places a ticket in a column, live or at a past moment. */
export type Placed = Pick<TicketRow, 'id' | 'status' | 'isBot' | 'queueId' | 'userId' | 'user'>
export type PanelFilter = { queueId: number | null; userId: number | null; status: 'open' | 'pending' | null }
export const noFilter: PanelFilter = { queueId: null, userId: null, status: null }

/** Since when the contact waits: for an agent, or for an answer. Null: it is the contact's turn, or the bot's. */
export function waitsSince({ status, waitingSince, isBot, lastMessageFromMe, lastMessageAt }: TicketRow): string | null {
  if (status === 'pending') return isBot ? null : waitingSince
  return lastMessageFromMe ? null : lastMessageAt
}

/** The tickets that have waited longer than the last limit. */
export const lateTickets = (rows: TicketRow[], now: number, limits: Limits): Set<number> =>
  new Set(
    rows.flatMap((row) => {
      const since = waitsSince(row)
      return since !== null && urgency((now - Date.parse(since)) / minuteMs, limits) === 'late' ? [row.id] : []
    }),
  )

/** The longest wait first. */
function byWait<Row extends Placed>(since: (row: Row) => string | null) {
  const places = new Map<Row, number>() // reading a time for each comparison of 5,000 tickets takes most of a change
  const place = (row: Row): number => {
    const known = places.get(row)
    if (known !== undefined) return known
    const began = since(row)
    const at = began === null ? Number.POSITIVE_INFINITY : Date.parse(began)
    places.set(row, at)
    return at
  }
  return (a: Row, b: Row) => place(a) - place(b) || a.id - b.id
}

/** The columns of `now`, with each unchanged one as it was in `before`, so that only changed columns render. */
export function keepColumns<Row>(before: readonly Column<Row>[], now: Column<Row>[]): Column<Row>[] {
  const known = new Map(before.map((column) => [column.id, column]))
  return now.map((column) => {
    const old = known.get(column.id)
    return old && isSame(old, column) ? old : column
  })
}
const isSame = <Row>(a: Column<Row>, b: Column<Row>): boolean =>
  a.agent?.name === b.agent?.name &&
  a.agent?.online === b.agent?.online &&
  a.tickets.length === b.tickets.length &&
  a.tickets.every((ticket, at) => ticket === b.tickets[at])

/** The waiting tickets, those with the bot, and a column for each agent who is online or has tickets. The longest wait comes first. */
export function columnsOf(rows: TicketRow[], agents: Agent[], filter: PanelFilter, isIdleShown: boolean): Column[] {
  return columnsBy(waitsSince, rows, agents, filter, isIdleShown)
}
/** The same for rows whose waiting began at `since`. */
export function columnsBy<Row extends Placed>(
  since: (row: Row) => string | null,
  rows: Row[],
  agents: Agent[],
  { queueId, userId, status }: PanelFilter,
  isIdleShown: boolean,
): Column<Row>[] {
  const shown = rows
    .filter((row) => (queueId === null || row.queueId === queueId) && (userId === null || row.userId === userId))
    .filter((row) => status === null || row.status === status)
    .toSorted(byWait(since))
  const byAgent = Map.groupBy(shown, (row) => row.userId)
  const waiting = byAgent.get(null) ?? []
  const known = new Set(agents.map(({ id }) => id))
  const others = [...byAgent.keys()].filter((id) => id !== null && !known.has(id)) as number[]
  const unknown = others.map((id): Agent => ({ id, name: byAgent.get(id)![0]!.user?.name ?? `#${id}`, online: false }))
  const columns = [...agents, ...unknown].map((agent): Column<Row> => ({ id: agent.id, agent, tickets: byAgent.get(agent.id) ?? [] }))
  return [
    { id: 'waiting', agent: null, tickets: waiting.filter(({ isBot }) => !isBot) },
    { id: 'bot', agent: null, tickets: waiting.filter(({ isBot }) => isBot) },
    ...columns.filter(
      ({ agent, tickets }) => (userId === null || agent!.id === userId) && (isIdleShown || agent!.online || tickets.length > 0),
    ),
  ]
}
