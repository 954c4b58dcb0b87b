import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Bench, costs, each, type Figure } from './bench.ts'
import { asker } from './http.ts'
import { bareAppends } from './inbound.ts'
import { round, spread } from './measure.ts'

const customers = 500
const connections = 16
/** Answers that lead to the second and third level, one level up, and back to the first. */
const answers = ['1', '1', '0', '#']

/** Configures the bot with two queues, the first with two more levels. Returns a function that undoes it. */
async function asksThreeLevels({ db, activeTickets: { companyId, connectionId, queueIds } }: Bench): Promise<() => Promise<unknown>> {
  const [queueId, other] = queueIds as [number, number]
  const greets = (greetingMessage: string | null) =>
    db.updateTable('connection').set({ greetingMessage }).where('id', '=', connectionId).execute()
  await greets('Olá, {nome}!')
  await db
    .insertInto('connectionQueue')
    .values({ companyId, connectionId, queueId: other })
    .onConflict((row) => row.doNothing())
    .execute()
  const none = {
    optQueueId: null,
    optUserId: null,
    optIntegrationId: null,
    optFileId: null,
    queueType: 'text' as const,
    closeTicket: false,
  }
  const option = async (name: string, chatBotId: number | null) => {
    const row = { companyId, queueId, chatBotId, position: 0, name, greetingMessage: `${name}, {nome}?`, ...none }
    return (await db.insertInto('menuOption').values(row).returning('id').executeTakeFirstOrThrow()).id
  }
  const first = await option('Comprar', null)
  for (const [name, below] of [
    ['Trocar', null],
    ['Cafeteira', first],
    ['Moedor', first],
  ] as const)
    await option(name, below)
  return async () => {
    await db.deleteFrom('menuOption').where('queueId', '=', queueId).execute()
    await db.deleteFrom('connectionQueue').where('connectionId', '=', connectionId).where('queueId', '=', other).execute()
    await greets(null)
  }
}

/** Transactions so far, and flushes of the Postgres log to disk. */
async function written({ pool }: Bench): Promise<{ commits: number; syncs: number }> {
  const { rows } = await pool.query<{ commits: string; syncs: string }>(`
    select (select xact_commit from pg_stat_database where datname = current_database()) as commits,
      (select sum(fsyncs) from pg_stat_io where object = 'wal') as syncs`)
  return { commits: Number(rows[0]!.commits), syncs: Number(rows[0]!.syncs) }
}

export const botConversations: Figure = async (bench) => {
  const { activeTickets, token, webs, seconds, pool, cpu } = bench
  const run = randomBytes(4).toString('hex')
  const length = Math.min(40, seconds(20)) // a contact gets at most fifty menus
  const path = `/sandbox/${activeTickets.connectionId}/inbound`
  const undo = await asksThreeLevels(bench)
  const urls = await webs()
  const askers = await Promise.all(Array.from({ length: connections }, (_, i) => asker(urls[i % urls.length]!)))
  const admin = token(activeTickets.admins[0]!)
  const before = await cpu()
  const then = await written(bench)
  const began = performance.now()
  const most = customers * length
  let n = 0
  let refused = 0
  await Promise.all(
    askers.map(async ({ ask }) => {
      for (let mine = n++; mine < most; mine = n++) {
        const due = began + (mine / customers) * 1000
        if (due > performance.now()) await sleep(due - performance.now())
        const [who, turn] = [mine % customers, Math.floor(mine / customers)]
        const body = turn === 0 ? 'oi' : answers[(turn - 1) % answers.length]
        const from = `5521${Number.parseInt(run.slice(0, 5), 16)}${String(who).padStart(3, '0')}`.slice(0, 13)
        const { status } = await ask('POST', path, admin, { id: `${run}-${mine}`, from, name: `Cliente ${who}`, body })
        if (status !== 202) refused++
      }
    }),
  )
  const took = (performance.now() - began) / 1000
  const text = `
    select extract(epoch from min(o.created_at) - j.received_at) * 1000 as ms
    from inbound_event j left join outbox o on o.kind = 'send' and o.cause ->> 'correlationId' = j.connection_id || '/' || j.external_id
    where j.external_id like $1 group by j.id`
  let rows: { ms: string | null }[] = []
  for (const late = performance.now() + 30_000; performance.now() < late; await sleep(500)) {
    rows = (await pool.query<{ ms: string | null }>(text, [`${run}-%`])).rows
    if (rows.length === n - connections && rows.every(({ ms }) => ms !== null)) break
  }
  const cost = each(before, await cpu(), rows.length)
  const now = await written(bench)
  const per = (what: 'commits' | 'syncs') => round((now[what] - then[what]) / rows.length)
  const perMessage = { commits: per('commits'), syncs: per('syncs') }
  for (const one of askers) one.close()
  await undo()
  const floor = await bareAppends(bench, 112, seconds(4))
  const unanswered = rows.filter(({ ms }) => ms === null).length
  const times = rows.flatMap(({ ms }) => (ms === null ? [] : [Number(ms)]))
  const ours = spread(times, took)
  return [
    {
      figure: 'P19',
      what: `${customers} customers in menus of three levels, ${customers} messages/s for ${round(length)} s: journaled → answer in the outbox`,
      ours: `${ours.perSecond}/s, p50 ${ours.p50}, p95 ${ours.p95} ms; ${costs(cost)}, ${perMessage.commits} transactions and ${perMessage.syncs} syncs; unanswered ${unanswered}, refused ${refused}`,
      floor: `${floor.perSecond} appends/s, of which one takes four: heard, answered, dispatched, accepted`,
      goal: '500/s, p95 ≤ 200 ms',
      reference: '',
      held: ours.perSecond >= 0.98 * customers && ours.p95 <= 200 && unanswered === 0 && refused === 0,
      raw: { run, ours, cost, perMessage, floor, unanswered, refused },
    },
  ]
}
