import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { parseArgs } from 'node:util'
import { foundCompany } from '../session/founding.ts'
import { withHouse } from './tools.ts'

const usage = `npm run company -- "Name" admin@example.org               makes the first company; its admin is the super user
npm run company -- "Name" admin@example.org --another     one more, with an admin of its own
The password is asked for, or read from standard input.`

const { values, positionals } = parseArgs({ allowPositionals: true, strict: false, options: { another: { type: 'boolean' } } })
const [name = '', email = ''] = positionals.map((one) => one.trim())
const unknown = Object.keys(values).some((key) => key !== 'another')

function wrong(line: string): never {
  console.error(line)
  process.exit(2)
}
if (unknown || positionals.length !== 2) wrong(usage)
if (name === '' || name.length > 100) wrong('The name of a company has 1 to 100 letters.')
if (!/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email) || email.length > 250) wrong(`${email} is no e-mail address.`)

await withHouse(async ({ db }) => {
  const others = await db.selectFrom('company').select('id').limit(1).executeTakeFirst()
  if (others && !values.another) {
    console.error('There is a company already; one more is made with --another, and its admin is no super user.')
    return 2
  }
  const taken = await db
    .selectFrom('user')
    .select('id')
    .where('email', 'ilike', email.replace(/[\\%_]/g, '\\$&'))
    .executeTakeFirst()
  if (taken) {
    console.error(`${email} signs in to another company already.`)
    return 2
  }
  const password = await secret()
  if (password.length < 5 || password.length > 50) {
    console.error('A password has 5 to 50 letters (A-AUTH-10).')
    return 2
  }
  const { companyId, isSuper } = await foundCompany(db, { name, email, password })
  console.log(
    `${name} is company ${companyId}; ${email} is its admin${isSuper ? ', and the super user' : ''}. Sign in with the password that was given.`,
  )
  return 0
})

/** Never shown, nor kept in the history of a shell. */
async function secret(): Promise<string> {
  const shown = new Writable({ write: (_, __, done) => done() })
  const lines = createInterface({ input: process.stdin, ...(process.stdin.isTTY && { output: shown, terminal: true }) })
  if (process.stdin.isTTY) process.stderr.write(`Password of ${email}: `)
  for await (const line of lines) {
    lines.close()
    if (process.stdin.isTTY) process.stderr.write('\n')
    return line
  }
  return ''
}
