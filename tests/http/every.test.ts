import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { errorTexts } from '#domain/error-texts.ts'
import { errors } from '#domain/errors.ts'
import { startTestApp, type TestApp } from '#tests/support/server.ts'
import { openScene, type Scene } from './scene.ts'
import { type Case, type Try, table } from './table.ts'
import { touched } from './table-interactive.ts'
import { lists } from './table-lists.ts'
import { said } from './table-messages.ts'
import { ofTemplates } from './table-templates.ts'

/*
 * Each call of the contract passes, refuses, sees no other company, and returns nothing to an unauthenticated
 * caller.
 */
const calls = Object.entries({ ...table, ...lists, ...said, ...ofTemplates, ...touched }).map(([call, of]): [string, Case] => [call, of])
let app: TestApp
let scene: Scene
let described: Record<string, Record<string, { responses: object }>>
beforeAll(async () => {
  app = await startTestApp()
  scene = await openScene(app)
  described = (await app.stranger('GET', '/docs/json')).body.paths
})
afterAll(() => app.stop())

function send(call: string, { who = 'ana', path, body, headers }: Try) {
  const [method] = call.split(' ')
  return (who === null ? app.stranger : app.as(who))(method!, path, body, headers)
}
function statuses(call: string): string[] {
  const [method = '', path = ''] = call.split(' ')
  return Object.keys(described[`/api${path.replace(/:(\w+)/g, '{$1}')}`]![method.toLowerCase()]!.responses)
}
const codes = new Set(Object.keys(errors).map((code) => code.split('/')[0]))

describe.each(calls)('%s', (call, { pass, gives, no, foreign, open }) => {
  it('answers', async () => {
    const { status, body } = await send(call, await pass(scene))
    expect({ status, body }).toMatchObject({ status: expect.toSatisfy((code: number) => code >= 200 && code < 300, 'good') })
    expect(statuses(call)).toContain(String(status))
    if (gives) expect(body).toMatchObject(gives)
  })

  if (no)
    it('refuses', async () => {
      const [asked, status, error] = await no(scene)
      const answer = await send(call, asked)
      expect({ status: answer.status, error: answer.body?.error }).toEqual({ status, error })
      expect(statuses(call)).toContain(String(status))
    })

  if (foreign)
    it('sees nothing of another company (R-TENANT-01)', async () => {
      const before = await theirsNow()
      for (const asked of await foreign(scene)) {
        const { status, body } = await send(call, asked)
        expect({ asked, status, error: body?.error }).toEqual({
          asked,
          status: 404,
          error: expect.toSatisfy((code) => codes.has(code), 'a code'),
        })
      }
      expect(await theirsNow()).toEqual(before)
    })

  if (!open)
    it('returns nothing to an unauthenticated caller, not even input errors', async () => {
      const { path } = await pass(scene)
      const [method] = call.split(' ')
      for (const ask of [
        { body: undefined, at: path },
        { body: method === 'GET' ? undefined : '{nonsense', at: path.replace(/\d+/g, 'abc') },
      ]) {
        const headers = ask.body === undefined ? undefined : { 'content-type': 'application/json' }
        const { status, body } = await app.stranger(method!, ask.at, ask.body, headers)
        expect({ status, body }).toEqual({
          status: 403,
          body: { error: 'ERR_SESSION_EXPIRED', message: errorTexts.ERR_SESSION_EXPIRED[0] },
        })
      }
    })
})

/** The whole data of the other company, as its own admin sees it. */
async function theirsNow() {
  const root = app.as('root')
  await root('GET', `/messages/${scene.theirs.ticket.id}`) // opening a ticket writes an access entry, at most once in a while
  await app.settled()
  const paths = [
    '/tickets?status=open&showAll=true',
    `/messages/${scene.theirs.ticket.id}`,
    '/contacts',
    '/tags',
    '/queue',
    '/quick-messages',
    '/users',
  ]
  return Promise.all(paths.map(async (path) => (await root('GET', path)).body))
}

describe('ids of another company', () => {
  it('match nothing in a filter', async () => {
    const { queue, user, tag, contact, connection } = scene.theirs
    for (const filter of [
      `queueIds=[${queue}]&status=open`,
      `users=[${user}]`,
      `tags=[${tag}]`,
      `contactId=${contact}`,
      `whatsapps=[${connection}]`,
    ]) {
      const { body } = await app.as('admin')('GET', `/tickets?showAll=true&${filter}`)
      expect({ filter, companies: [...new Set(body.tickets.map((row: any) => row.companyId))] }).toEqual({
        filter,
        companies: body.tickets.length === 0 ? [] : [scene.companies.casa],
      })
    }
  })
  it('close no tickets of its queue (A-TICKET-13)', async () => {
    const asked = { status: 'open', selectedQueueIds: [scene.theirs.queue] }
    const { body } = await app.as('admin')('POST', '/tickets/closeAll', asked)
    expect(body.count).toBeLessThanOrEqual(0)
    expect((await app.as('root')('GET', `/tickets/u/${scene.theirs.ticket.uuid}`)).body.status).toBe('open')
  })
  it('add none of its tags to a contact, and change no lane (A-LANE-02)', async () => {
    const { id: contactId } = await scene.contact()
    const { pista, vip, deles } = scene.tags
    await app.db.insertInto('contactTag').values({ companyId: scene.companies.casa, contactId, tagId: pista }).execute()
    const asked = { contactId, tags: [{ id: deles }, { id: vip }] }
    const { body } = await app.as('ana')('POST', '/tags/sync', asked)
    expect(body.tags.map(({ name }: { name: string }) => name).sort()).toEqual(['Pista', 'VIP'])
  })
  it('in a query do not change the company that is read (R-TENANT-02)', async () => {
    const other = scene.companies.vizinha
    for (const path of [`/tags/list?companyId=${other}`, `/quick-messages/list?companyId=${other}`, `/whatsapp?companyId=${other}`]) {
      const { body } = await app.as('admin')('GET', path)
      expect(JSON.stringify(body)).not.toContain('Deles')
      expect(body.length).toBeGreaterThan(0)
    }
  })
})
