import type { Projector } from '#projections/projector.ts'
import { forgetProgress } from '../backup/reconcile.ts'
import type { AppContext } from '../context.ts'
import { PersonalFieldsUnreadable, rebuild } from '../event-store/rebuild.ts'
import { projectors } from '../modules.ts'
import { reclaim } from '../ticket/active-ticket-rows.ts'
import { parseArguments, withAppContext } from './tools.ts'

const names = projectors.flatMap(({ models }) => models.map(({ name }) => name))
const usage = `npm run rebuild                rebuilds the read models from the event log in shadow tables and swaps them
npm run rebuild -- MODEL…     rebuilds some of them: ${names.join(', ')}
npm run rebuild -- --from-log  accepts the event log as the truth if it is older than the tables or another one; nothing else may run
npm run rebuild -- … --without-keys  continues although personal fields get lost, because the keys of their contacts are missing
0: the tables matched the event log; 1: some did not and are repaired now; 2: nothing was replaced, and why`

const { values, positionals: models } = parseArguments({
  allowPositionals: true,
  options: {
    help: { type: 'boolean', default: false },
    'from-log': { type: 'boolean', default: false },
    'without-keys': { type: 'boolean', default: false },
  },
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
  await withAppContext(
    async (ctx) => {
      if (values['from-log']) await forgetProgress(ctx)
      let differing = 0
      for (const of of projectors) {
        const only = of.models.flatMap(({ name }) => (models.includes(name) ? [name] : []))
        if (models.length === 0) differing += await rebuildAndReport(ctx, of)
        else if (only.length > 0) differing += await rebuildAndReport(ctx, of, only)
      }
      if (!values['from-log']) return differing > 0 ? 1 : 0
      await reclaim(ctx.db)
      return 0
    },
    { existing: true },
  )

/** Rebuilds read models and returns how many tables differed from the event log. */
async function rebuildAndReport(ctx: AppContext, of: Projector<any>, only?: string[]): Promise<number> {
  const began = performance.now()
  let last = 0
  const { events, position, sums, differences, parked, lost } = await rebuild(of, ctx, {
    ...(only && { only }),
    withoutKeys: values['without-keys'],
    waits: (what) => console.log(`  waits: ${what}`),
    report(now) {
      if (now - last < 100_000) return
      last = now
      console.log(`  ${now} events`)
    },
  }).catch(refused)
  const seconds = ((performance.now() - began) / 1000).toFixed(1)
  for (const { table, rows, checksum } of sums) console.log(`  ${table.padEnd(16)} ${String(rows).padStart(9)} rows  checksum ${checksum}`)
  console.log(`${events} events up to position ${position} in ${seconds} s; the new tables are in place.`)
  if (parked > 0) console.error(`${parked} streams wait at an event that cannot be applied: npm run parked`)
  for (const line of lost) console.error(line)
  for (const { table, rows } of differences) console.error(`DIFFERED ${table}: ${rows} rows differed from the event log; repaired`)
  return differences.length
}

function refused(error: unknown): never {
  if (!(error instanceof PersonalFieldsUnreadable)) throw error
  throw new Error(`${error.message}
Nothing was replaced, because the new tables would lose these personal fields. Restore the rows of contact_key from a backup, or continue
without the fields: npm run rebuild -- --without-keys`)
}
