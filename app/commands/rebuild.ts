import type { Projector } from '#projections/projector.ts'
import { forgetProgress } from '../backup/reconcile.ts'
import type { AppContext } from '../context.ts'
import { PersonalFieldsUnreadable, rebuild } from '../event-store/rebuild.ts'
import { projectors } from '../modules.ts'
import { reclaim } from '../ticket/active-ticket-registry.ts'
import { withHouse, words } from './tools.ts'

const names = projectors.flatMap(({ models }) => models.map(({ name }) => name))
const usage = `npm run rebuild                builds the read tables anew from the log, beside the live ones, and swaps them
npm run rebuild -- MODEL…     some of them: ${names.join(', ')}
npm run rebuild -- --from-log  takes the log for the truth, where it is older than the tables or another one; nothing else may run meanwhile
npm run rebuild -- … --without-keys  goes on where words are lost by it, for the keys of their contacts are missing
0: the tables stood as the log says; 1: some did not, and are mended now; 2: nothing was replaced, and why`

const { values, positionals: models } = words({
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
  await withHouse(
    async (ctx) => {
      if (values['from-log']) await forgetProgress(ctx)
      let otherwise = 0
      for (const of of projectors) {
        const only = of.models.flatMap(({ name }) => (models.includes(name) ? [name] : []))
        if (models.length === 0) otherwise += await built(ctx, of)
        else if (only.length > 0) otherwise += await built(ctx, of, only)
      }
      if (!values['from-log']) return otherwise > 0 ? 1 : 0
      await reclaim(ctx.db)
      return 0
    },
    { existing: true },
  )

/** Answers how many tables stood otherwise than the log says. */
async function built(ctx: AppContext, of: Projector<any>, only?: string[]): Promise<number> {
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
  for (const { table, rows } of differences)
    console.error(`DIFFERED ${table}: ${rows} rows stood there otherwise than the log says; mended`)
  return differences.length
}

function refused(error: unknown): never {
  if (!(error instanceof PersonalFieldsUnreadable)) throw error
  throw new Error(`${error.message}
Nothing was replaced, for the new tables would hold nothing where the live ones have these words. Put the rows of contact_key back as a
backup has them, or go on and lose the words: npm run rebuild -- --without-keys`)
}
