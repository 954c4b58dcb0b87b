import type { Projector } from '#projections/projector.ts'
import { projectors } from '../areas.ts'
import { forgetProgress, reclaim } from '../backup/together.ts'
import { rebuild } from '../eventlog/rebuilding.ts'
import type { House } from '../house.ts'
import { withHouse, words } from './tools.ts'

const names = projectors.flatMap(({ models }) => models.map(({ name }) => name))
const usage = `npm run rebuild                builds the read tables anew from the log, beside the live ones, and swaps them
npm run rebuild -- MODEL…     some of them: ${names.join(', ')}
npm run rebuild -- --from-log  takes the log for the truth, where it is older than the tables or another one; nothing else may run meanwhile`

const { values, positionals: models } = words({
  allowPositionals: true,
  options: { help: { type: 'boolean', default: false }, 'from-log': { type: 'boolean', default: false } },
})
const unknown = models.filter((model) => !names.includes(model))

if (values.help) console.log(usage)
else if (values['from-log'] && models.length > 0) {
  console.error('--from-log builds all read models: name none')
  process.exitCode = 2
} else if (unknown.length > 0) {
  console.error(`there is no read model ${unknown.join(', ')}; there are ${names.join(', ')}`)
  process.exitCode = 2
} else
  await withHouse(
    async (house) => {
      if (values['from-log']) await forgetProgress(house)
      let differ = 0
      for (const of of projectors) {
        const only = of.models.flatMap(({ name }) => (models.includes(name) ? [name] : []))
        if (models.length === 0) differ += await built(house, of)
        else if (only.length > 0) differ += await built(house, of, only)
      }
      if (values['from-log']) await reclaim(house.db)
      return differ > 0 ? 3 : 0
    },
    { existing: true },
  )

/** Answers how many tables differ from those that stood there. */
async function built(house: House, of: Projector<any>, only?: string[]): Promise<number> {
  const began = performance.now()
  let last = 0
  const { events, position, sums, differences, parked } = await rebuild(of, house, {
    ...(only && { only }),
    report(now) {
      if (now - last < 100_000) return
      last = now
      console.log(`  ${now} events`)
    },
  })
  const seconds = ((performance.now() - began) / 1000).toFixed(1)
  for (const { table, rows, checksum } of sums) console.log(`  ${table.padEnd(16)} ${String(rows).padStart(9)} rows  checksum ${checksum}`)
  console.log(`${events} events up to position ${position} in ${seconds} s; the new tables are in place.`)
  if (parked > 0) console.error(`${parked} streams wait at an event that cannot be applied: npm run parked`)
  for (const { table, live, rebuilt } of differences)
    console.error(`DIFFERS ${table}: ${live.rows} rows (${live.checksum}) stood there, the log says ${rebuilt.rows} (${rebuilt.checksum})`)
  return differences.length
}
