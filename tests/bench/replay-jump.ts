import type { HistoryEvent } from '#domain/history/contract.ts'
import { streamName } from '#domain/stream.ts'
import { ticketStream } from '#domain/ticket/stream.ts'
import { replay } from '#web/history/replay.ts'
import type { Figure } from './bench.ts'
import { asker } from './http.ts'
import { load, steadily } from './measure.ts'
import { dice } from './words.ts'

export const replayJump: Figure = async ({ activeTickets, token, server, seconds, pool }) => {
  const { url } = await server()
  const path = `/ticket-history/${activeTickets.longUuid}`
  const next = () => ({ path, token: token(activeTickets.admins[0]!) })
  await load(url, 1, seconds(1), next)
  const read = await load(url, 1, seconds(3), next)
  const one = await asker(url)
  const { events, chain } = JSON.parse((await one.ask('GET', path, token(activeTickets.admins[0]!))).body()) as {
    events: HistoryEvent[]
    chain: { holds: boolean }
  }
  one.close()
  const { int } = dice(activeTickets.size.seed)
  const jump = await steadily(1, seconds(2), async () => void replay(events)(int(events.length + 1)))
  const at = replay(events)
  const again = await steadily(1, seconds(1), async () => void at(int(events.length + 1)))
  const stream = streamName(ticketStream, activeTickets.companyId, activeTickets.size.tickets + 1)
  const floor = await steadily(1, seconds(2), async () => {
    await pool.query('select data, meta from event where stream = $1 order by version', [stream])
  })
  return [
    {
      figure: 'P13',
      what: `jump in the replay of a ticket of ${events.length} events`,
      ours: `p95 ${jump.p95} ms, then ${again.p95} ms; first read of it all p95 ${read.p95} ms; chain ${chain.holds ? 'holds' : 'BROKEN'}`,
      floor: `read p95 ${floor.p95} ms`,
      goal: '≤ 30 ms',
      reference: 'impossible',
      held: jump.p95 <= 30 && chain.holds && events.length >= 1000,
      raw: { jump, again, read, floor },
    },
  ]
}
