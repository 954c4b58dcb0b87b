import { parseArgs } from 'node:util'
import { removeDemo } from '../demo/remain.ts'
import { withAppContext } from './tools.ts'

const usage = `npm run demo -- remove     disables sign-in for demo users; their data and the demo companies stay`

const { positionals } = parseArgs({ allowPositionals: true, strict: false })
if (positionals.length !== 1 || positionals[0] !== 'remove' || process.argv.length !== 3) {
  console.error(usage)
  process.exit(2)
}

await withAppContext(
  async ({ db }) => {
    const gone = await removeDemo(db)
    console.log(gone.length === 0 ? 'No demo user can sign in here.' : `No longer able to sign in: ${gone.join(', ')}.`)
    return 0
  },
  { existing: true },
)
