import type { Figure, Measured } from './bench.ts'
import type { Spread } from './measure.ts'
import { p5 } from './p5.ts'
import { p7 } from './p7.ts'

const share = 0.8
const of = ([one]: Measured[]) => (one!.raw as { ours: Spread }).ours

/** Inbound and accepts as P5 and P7, by one process and then by two webs, a projector and a worker, in the same run. */
export const p18: Figure = async (bench) => {
  const alone = { p5: of(await p5(bench)), p7: of(await p7(bench)) }
  const apart = await bench.apart(async (many) => ({ p5: of(await p5(many)), p7: of(await p7(many)) }))
  return (['p5', 'p7'] as const).map((name) => {
    const [one, four] = [alone[name], apart[name]]
    const ratio = four.perSecond / one.perSecond
    return {
      figure: `P18 ${name.toUpperCase()}`,
      what: `${name === 'p5' ? 'sustained inbound' : 'accepts'} by two webs, a projector and a worker`,
      ours: `${four.perSecond}/s, p95 ${four.p95} ms; one process ${one.perSecond}/s, p95 ${one.p95} ms; ratio ${ratio.toFixed(2)}`,
      floor: 'one process, in the same run',
      goal: `≥ ${share} of it`,
      reference: 'one process only',
      held: ratio >= share,
      raw: { one, four, ratio },
    }
  })
}
