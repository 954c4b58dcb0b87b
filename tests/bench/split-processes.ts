import { accepts } from './accepts.ts'
import type { Figure, Measured } from './bench.ts'
import { inboundThroughput } from './inbound-throughput.ts'
import type { Spread } from './measure.ts'

const share = 0.8
const of = ([one]: Measured[]) => (one!.raw as { ours: Spread }).ours

/**
 * Inbound and accepts as in P5 and P7, by one process and then by two webs, a projector and a worker, in the same
 * run.
 */
export const splitProcesses: Figure = async (bench) => {
  const alone = { inbound: of(await inboundThroughput(bench)), accepts: of(await accepts(bench)) }
  const apart = await bench.apart(async (many) => ({ inbound: of(await inboundThroughput(many)), accepts: of(await accepts(many)) }))
  return (['inbound', 'accepts'] as const).map((name) => {
    const [one, four] = [alone[name], apart[name]]
    const ratio = four.perSecond / one.perSecond
    return {
      figure: `P18 ${name === 'inbound' ? 'P5' : 'P7'}`,
      what: `${name === 'inbound' ? 'sustained inbound' : 'accepts'} by two webs, a projector and a worker`,
      ours: `${four.perSecond}/s, p95 ${four.p95} ms; one process ${one.perSecond}/s, p95 ${one.p95} ms; ratio ${ratio.toFixed(2)}`,
      floor: 'one process, in the same run',
      goal: `≥ ${share} of one process`,
      reference: 'one process only',
      held: ratio >= share,
      raw: { one, four, ratio },
    }
  })
}
