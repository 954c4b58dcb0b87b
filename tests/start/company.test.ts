import { randomBytes } from 'node:crypto'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { demoAccounts, demoPassword } from '#app/demo/accounts.ts'
import { hashPassword } from '#app/session/password.ts'
import { findPasswordLink } from '#app/session/password-link.ts'
import { openStore, type Store } from '#projections/postgres.ts'
import { command } from '#tests/support/command.ts'
import { type FreshDatabase, freshDatabase } from '#tests/support/postgres.ts'
import { startProcess } from '#tests/support/processes.ts'

let database: FreshDatabase
let store: Store
const dataDir = mkdtempSync(path.join(tmpdir(), 'guiche-company-'))
const key = randomBytes(32).toString('base64')
let env: Record<string, string>
beforeAll(async () => {
  database = await freshDatabase()
  env = { DATABASE_URL: database.url, DATA_DIR: dataDir, MASTER_KEY: key, ROLES: 'web' }
  store = openStore(database.url, 2)
})
afterAll(async () => {
  await store.db.destroy()
  await database.drop()
  rmSync(dataDir, { recursive: true, force: true })
})
const company = (args: string[], password = 'segredo-da-casa') => command('commands/company.ts', args, env, `${password}\n`)
const signIn = (url: string, email: string, password: string) =>
  fetch(`${url}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  })

describe('the first company (A-OPS-01)', () => {
  it('is requested at a start without one, created by command, and its admin can sign in', async () => {
    const empty = await startProcess(env)
    expect(empty.output()).toContain('There is no company yet, and nobody can sign in: npm run company')
    const { code, out } = await company(['Café & Cia', 'dona@cafe.test'])
    expect({ code, out }).toEqual({
      code: 0,
      out: expect.stringMatching(/^Café & Cia is company 1; dona@cafe\.test is its admin, and the super user\./),
    })
    const answer = await signIn(empty.url, 'dona@cafe.test', 'segredo-da-casa')
    expect(answer.status).toBe(200)
    expect(((await answer.json()) as any).user).toMatchObject({
      companyId: 1,
      profile: 'admin',
      super: true,
      company: { name: 'Café & Cia' },
    })
    await empty.stop()
    expect(out).not.toContain('segredo-da-casa')
  })

  it('is not created twice by accident, and never with a second super user', async () => {
    expect(await company(['Outra', 'outra@cafe.test'])).toMatchObject({
      code: 2,
      err: expect.stringMatching(/^There is a company already/),
    })
    expect(await company(['Outra', 'outra@cafe.test', '--another'])).toMatchObject({ code: 0 })
    const users = await store.db.selectFrom('user').select(['email', 'super', 'companyId']).orderBy('id').execute()
    expect(users).toEqual([
      { email: 'dona@cafe.test', super: true, companyId: 1 },
      { email: 'outra@cafe.test', super: false, companyId: 2 },
    ])
  })

  it('can have its password set by a link, and gets a new link at any time', async () => {
    const before = await store.db.selectFrom('company').selectAll().execute()
    expect(before).toHaveLength(2)
    const made = await company(['Terceira', 'terceira@cafe.test', '--another', '--link'])
    const [, token = ''] = /http:\/\/\S+\/password#([\w-]{43})/.exec(made.out) ?? []
    const again = await command('commands/company.ts', ['--link', 'terceira@cafe.test'], { ...env, PUBLIC_URL: 'https://inbox.cafe.test/' })
    expect(again).toMatchObject({ code: 0, out: expect.stringMatching(/ https:\/\/inbox\.cafe\.test\/password#[\w-]{43}\n$/) })
    expect(await findPasswordLink(store.db, token)).toBeNull()
    expect(await findPasswordLink(store.db, again.out.trim().slice(-43))).toMatchObject({ email: 'terceira@cafe.test' })
    expect(await command('commands/company.ts', ['--link', 'ninguem@cafe.test'], env)).toMatchObject({ code: 2 })
    await store.db.deleteFrom('user').where('email', '=', 'terceira@cafe.test').execute()
    await store.db.deleteFrom('company').where('name', '=', 'Terceira').execute()
  })

  it.each<[string[], string?]>([
    [[]],
    [['Só o nome']],
    [['', 'a@b.test']],
    [['Nome', 'sem-arroba', '--another']],
    [['Nome', 'DONA@cafe.test', '--another']],
    [['Nome', 'nova@cafe.test', '--outra']],
    [['Nome', 'nova@cafe.test', '--another'], 'abc'],
    [['Nome', 'nova@cafe.test', '--another'], ''],
    [['Nome', 'nova@cafe.test', '--another'], '     '],
    [['Nome', 'nova@cafe.test', '--another'], '123456'],
  ])('is refused with a line for %j %s', async (args, password) => {
    const { code, out, err } = await company(args, password)
    expect({ code, out }).toEqual({ code: 2, out: '' })
    expect(err).not.toMatch(/\n\s+at /)
    expect(await store.db.selectFrom('company').select('id').execute()).toHaveLength(2)
  })
})

describe('an installation that is not there', () => {
  const nowhere = path.join(dataDir, 'nowhere')
  const hint = 'give the settings of the server, or --new for a new installation'
  it('is not created by a command that lacks the settings of the server', async () => {
    const refused = await command('commands/company.ts', ['Nova', 'nova@cafe.test', '--link'], { DATA_DIR: nowhere })
    expect(refused).toEqual({ code: 2, out: '', err: `DATA_DIR: ${nowhere} holds no database; ${hint}\n` })
    expect(existsSync(nowhere)).toBe(false)
  })

  it.each([
    ['commands/company.ts', ['Nova', 'nova@cafe.test', '--link'], `; ${hint}`],
    ['commands/keys.ts', ['rotate'], ''],
    ['commands/restore.ts', ['--go-live'], ''],
    ['commands/parked.ts', [], ''],
    ['commands/rebuild.ts', [], ''],
    ['commands/demo.ts', ['remove'], ''],
  ])('is not created by %s %j in an empty database', async (program, args, more) => {
    const empty = await freshDatabase()
    const { db } = openStore(empty.url, 1)
    try {
      const refused = await command(program, args, { ...env, DATABASE_URL: empty.url })
      expect(refused).toEqual({ code: 2, out: '', err: `DATABASE_URL: the database holds no installation${more}\n` })
      expect(await db.introspection.getTables({ withInternalKyselyTables: true })).toEqual([])
    } finally {
      await db.destroy()
      await empty.drop()
    }
  })

  it('is created with --new', async () => {
    const empty = await freshDatabase()
    try {
      const made = await command('commands/company.ts', ['Nova', 'nova@cafe.test', '--link', '--new'], { ...env, DATABASE_URL: empty.url })
      expect(made).toMatchObject({ code: 0, out: expect.stringContaining('Nova is company 1') })
    } finally {
      await empty.drop()
    }
  })
})

it('a printed link contains the port of the running server', async () => {
  const server = await startProcess(env) // on a free port, which the command is not told
  const link = async () => (await command('commands/company.ts', ['--link', 'dona@cafe.test'], env)).out
  expect(await link()).toContain(` ${server.url}/password#`)
  await server.stop()
  expect(await link()).toContain(' http://127.0.0.1:8080/password#') // no server runs, so its settings are all that is known
})

describe('demo users on a store that is no demonstration any more', () => {
  it('are reported at the start, and are removed for good by command', async () => {
    const { email } = demoAccounts[0]!
    const row = {
      companyId: 1,
      name: 'Helena',
      email,
      passwordHash: await hashPassword(demoPassword),
      whatsappId: null,
      farewellMessage: null,
      flags: '{}',
    }
    await store.db.insertInto('user').values(row).execute()
    const server = await startProcess(env)
    expect(server.output()).toContain('1 demo users can still sign in with the password of the README: npm run demo -- remove')
    const first = await signIn(server.url, email, demoPassword)
    const token = ((await first.json()) as any).token as string
    expect(await command('commands/demo.ts', ['remove'], env)).toMatchObject({ code: 0, out: `No longer able to sign in: ${email}.\n` })
    expect((await signIn(server.url, email, demoPassword)).status).toBe(401)
    expect((await signIn(server.url, 'dona@cafe.test', 'segredo-da-casa')).status).toBe(200)
    const cookie = first.headers.get('set-cookie')!.split(';')[0]!
    expect((await fetch(`${server.url}/api/auth/refresh_token`, { method: 'POST', headers: { cookie } })).status).toBe(401)
    expect(token).toBeTruthy()
    await server.stop()
    expect(await command('commands/demo.ts', ['remove'], env)).toMatchObject({ code: 0, out: 'No demo user can sign in here.\n' })
    expect(await command('commands/demo.ts', ['purge'], env)).toMatchObject({ code: 2 })
  })

  it('do not keep the super user role, and are no longer offered after their removal', async () => {
    await store.db.updateTable('user').set({ super: true }).where('email', '=', demoAccounts[0]!.email).execute()
    await store.db.updateTable('user').set({ super: false }).where('email', '<>', demoAccounts[0]!.email).execute()
    const made = await command('commands/company.ts', ['Livraria', 'dono@livraria.test'], env, 'segredo-da-livraria\n')
    expect(made).toMatchObject({ code: 0, out: expect.stringContaining('and the super user') }) // the former super user can no longer sign in
    const server = await startProcess({ ...env, DEMO: '1', SANDBOX: '0' })
    expect((await fetch(`${server.url}/api/demo`)).status).toBe(404)
    expect(server.output()).not.toContain(demoPassword)
    await server.stop()
  })
})
