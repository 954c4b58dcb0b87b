import { randomBytes } from 'node:crypto'
import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { parseArgs } from 'node:util'
import { sql } from 'kysely'
import { hasHidden } from '#domain/contract.ts'
import { isWeak, passwordLength } from '#domain/session/rules.ts'
import { isTooShort } from '#domain/user/rules.ts'
import { findServerAddress } from '../bootstrap/server-address.ts'
import { localUrlOf } from '../config.ts'
import { createCompany, hasSuperUser } from '../session/founding.ts'
import { linkTo, makePasswordLink } from '../session/password-link.ts'
import { withAppContext } from './tools.ts'

const usage = `npm run company -- "Name" admin@example.org               creates the first company; its admin is the super user
npm run company -- "Name" admin@example.org --another     creates another company with its own admin
The password is prompted for or read from standard input. With --link, a printed link sets it, once and within three days.
npm run company -- --link admin@example.org               prints a new link for a user whose link has expired
The command uses the settings of the server. Where there is no installation yet, it refuses; --new creates one.`

const { values, positionals } = parseArgs({
  allowPositionals: true,
  strict: false,
  options: { another: { type: 'boolean' }, link: { type: 'boolean' }, new: { type: 'boolean' } },
})
const again = values.link === true && positionals.length === 1
const [name = '', email = ''] = [...(again ? ['-'] : []), ...positionals].map((one) => one.trim())
const unknown = Object.keys(values).some((key) => !['another', 'link', 'new'].includes(key))
const which = { existing: values.new !== true, hint: 'give the settings of the server, or --new for a new installation' }

function wrong(line: string): never {
  console.error(line)
  process.exit(2)
}
if (unknown || (positionals.length !== 2 && !again)) wrong(usage)
if (name === '' || name.length > 100 || hasHidden(name)) wrong('The name of a company has 1 to 100 letters, all of which can be seen.')
if (!/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email) || email.length > 250) wrong(`${email} is no e-mail address.`)

await withAppContext(async ({ db, config }) => {
  const here = config.publicUrl ?? (await findServerAddress(config.dataDir)) ?? localUrlOf(config)
  const link = (token: string) =>
    config.publicUrl
      ? linkTo(here, token)
      : `${linkTo(here, token)}\n(PUBLIC_URL is not set: people elsewhere replace ${here} by the address at which they reach the server)`
  if (again) {
    const user = await db
      .selectFrom('user')
      .select(['id', 'companyId'])
      .where(sql`lower(email)`, '=', email.toLowerCase())
      .where('retiredAt', 'is', null)
      .executeTakeFirst()
    if (!user) {
      console.error(`Nobody signs in as ${email}.`)
      return 2
    }
    console.log(`${email} sets a password here, once, within three days: ${link(await makePasswordLink(db, user))}`)
    return 0
  }
  if ((await hasSuperUser(db)) && !values.another) {
    console.error('There is a company already; one more is made with --another, and its admin is no super user.')
    return 2
  }
  const taken = await db
    .selectFrom('user')
    .select('id')
    .where('email', 'ilike', email.replace(/[\\%_]/g, '\\$&'))
    .where('retiredAt', 'is', null)
    .executeTakeFirst()
  if (taken) {
    console.error(`${email} signs in to another company already.`)
    return 2
  }
  const password = values.link ? randomBytes(24).toString('base64url') : await readPassword()
  if (isTooShort(password, { profile: 'admin' }) || password.length > passwordLength.max) {
    console.error('An admin’s password has 8 to 50 letters; with --link nobody types one: a link is printed that sets it.')
    return 2
  }
  if (isWeak(password)) {
    console.error('That password is blank or among the first that are tried; choose another.')
    return 2
  }
  const { companyId, userId, isSuper } = await createCompany(db, { name, email, password })
  console.log(
    `${name} is company ${companyId}; ${email} is its admin${isSuper ? ', and the super user' : ''}. ${
      values.link
        ? `The password is set here, once, within three days: ${link(await makePasswordLink(db, { id: userId, companyId }))}`
        : 'Sign in with the password that was given.'
    }`,
  )
  return 0
}, which)

/** Reads the password without echo, so that it is neither shown nor kept in the history of a shell. */
async function readPassword(): Promise<string> {
  const muted = new Writable({ write: (_, __, done) => done() })
  const lines = createInterface({ input: process.stdin, ...(process.stdin.isTTY && { output: muted, terminal: true }) })
  if (process.stdin.isTTY) process.stderr.write(`Password of ${email}: `)
  for await (const line of lines) {
    lines.close()
    if (process.stdin.isTTY) process.stderr.write('\n')
    return line
  }
  return ''
}
