import pg from 'pg'
import { Unavailable } from '#app/eventlog/eventlog.ts'
import { passing } from '#app/eventlog/passing.ts'
import { announced, backoff, within } from '../eventlog/patience.ts'
import { lockIds } from '../work/locks.ts'
import type { Connection, Line } from './channel.ts'
import { type Deps, hearing } from './hear.ts'

type Held = Line & { leave: AbortController; left: Promise<void> }

const roundMs = 500

/**
 * Hears every connection that no other process hears. One connection to Postgres holds the locks of all of them: when it breaks all are
 * lost at once, so all are left, and claimed anew.
 */
export async function switchboard(deps: Deps, signal: AbortSignal): Promise<void> {
  const wait = announced(backoff(200, 5000), deps.logger, 'the claiming of connections')
  while (!signal.aborted) {
    const settings = { keepAlive: true, connectionTimeoutMillis: 5000, query_timeout: 5000, application_name: 'guiche hearing' }
    const client = new pg.Client({ connectionString: deps.connectionString, ...settings })
    const lost = new AbortController()
    client.on('error', () => lost.abort())
    client.on('end', () => lost.abort())
    let fault: unknown = new Unavailable('the connection that holds the locks broke')
    try {
      await client.connect()
      await hold(client, deps, wait.over, AbortSignal.any([signal, lost.signal]))
    } catch (error) {
      fault = error
      deps.logger[passing(error) ? 'debug' : 'warn']({ err: error }, 'the connections were let go and are claimed anew')
    }
    await within(client.end(), 5000, 'letting go').catch(() => undefined)
    if (!signal.aborted) await wait.pause(fault, signal)
  }
}

/** Looks round when a connection changes, and every so often: for what another process let go, and for queues, of which nothing is told. */
async function hold(client: pg.Client, deps: Deps, looked: () => void, signal: AbortSignal): Promise<void> {
  const lines = new Map<number, Held>()
  let wake = () => {}
  const off = deps.ears.on('changes', (line) => line.startsWith('whatsapp ') && wake())
  const again = setInterval(() => wake(), roundMs)
  signal.addEventListener('abort', () => wake(), { once: true })
  try {
    while (!signal.aborted) {
      const told = new Promise<void>((resolve) => {
        wake = resolve
      })
      const found = await lookRound(client, [...lines.keys()])
      looked()
      for (const { mine, ...now } of found) {
        const line = lines.get(now.id)
        if (line) line.now = now
        else if (mine) lines.set(now.id, open(now, deps))
      }
      const there = new Set(found.map(({ id }) => id))
      for (const [id, { leave, left }] of lines)
        if (!there.has(id) && !leave.signal.aborted) {
          leave.abort()
          void left.then(() => lines.delete(id))
          void left.then(() => client.query('select pg_advisory_unlock($1, $2)', [lockIds.connection, id])).catch(() => undefined)
        }
      if (!signal.aborted) await told
    }
  } finally {
    off()
    clearInterval(again)
    for (const { leave } of lines.values()) leave.abort()
    await Promise.all([...lines.values()].map(({ left }) => left))
  }
}

function open(now: Connection, deps: Deps): Held {
  const line: Held = { now, leave: new AbortController(), left: Promise.resolve() }
  line.left = hearing(line, deps, line.leave.signal)
  return line
}

/** Every connection as it stands, and whether it just became ours; those that were ours already are not claimed twice. */
async function lookRound(client: pg.Client, ours: number[]): Promise<(Connection & { mine: boolean })[]> {
  const text = `
    select c.id, c.company_id as "companyId", c.channel, c.allow_group as "allowGroup", c.group_as_ticket as "groupAsTicket",
      (select case when count(*) = 1 then min(cq.queue_id) end from connection_queue cq where cq.connection_id = c.id) as "queueId",
      case when c.id = any($2::int[]) then false else pg_try_advisory_lock($1, c.id) end as mine
    from connection c`
  return (await client.query<Connection & { mine: boolean }>({ name: 'look_round', text, values: [lockIds.connection, ours] })).rows
}
