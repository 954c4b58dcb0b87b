import { afterAll, beforeAll, expect, it } from 'vitest'
import { runLeaseCoordinator } from '#app/channels/leases.ts'
import { processInbound } from '#app/inbound/inbound-processor.ts'
import { contactTable } from '#tests/support/contact-table.ts'
import { startTestApp, type TestApp } from '#tests/support/server.ts'
import { eventually } from '#tests/support/wait.ts'

/** On a busy machine a lease can lapse for a moment, and then nothing is checked. */
const untilLeased = () =>
  eventually(
    () => app.db.selectFrom('connectionLease').innerJoin('worker', 'worker.id', 'connectionLease.holder').select('until').execute(),
    (rows) => rows.some(({ until }) => Date.parse(until) > Date.now() + 1000),
  )
/* The sandbox network does not know numbers that end with 0000. */
let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.stop())

const create = (number: string) => app.as('admin')('POST', '/contacts', { name: 'Iara Nova', number })
const setStatus = (status: 'CONNECTED' | 'DISCONNECTED') =>
  app.db.updateTable('connection').set({ status }).where('companyId', '=', app.company.companies.casa).execute()

let asked = 10
/** Each attempt has another unknown number. On a busy machine an answer may come too late, and then the number is saved unchecked. */
const isRefused = (save: (number: string) => Promise<{ status: number; body: { error?: string } }>) =>
  eventually(
    async () => {
      const { status, body } = await save(`551194${asked++}60000`)
      return { status, error: body.error }
    },
    ({ status }) => status !== 200,
  )
const unknown = { status: 400, error: 'ERR_WAPP_INVALID_CONTACT' }

it('a contact is refused if its number is not on the network (ERR_WAPP_INVALID_CONTACT)', async () => {
  await untilLeased()
  expect(await isRefused(create)).toEqual(unknown)
  expect((await create('5511944420001')).status).toBe(200)
  expect(await create('5511944420001')).toMatchObject({ status: 409, body: { error: 'ERR_DUPLICATED_CONTACT' } })
})

it('a changed number is checked, an unchanged one is not', async () => {
  const { id } = (await create('5511944420002')).body
  await untilLeased()
  const change = (number: string) => app.as('admin')('PUT', `/contacts/${id}`, { number })
  expect(await isRefused(change)).toEqual(unknown)
  expect(await change('+55 11 94442-0002')).toMatchObject({ status: 200, body: { number: '5511944420002' } })
  expect(await change('5511944420003')).toMatchObject({ status: 200, body: { number: '5511944420003' } })
})

it('an imported row is ignored if validateContact is true and its number is unknown (R-CIMPORT-05)', async () => {
  await untilLeased()
  const row = (number: string, validateContact: string) =>
    app.as('admin')('POST', '/contactsImport', { name: 'Iara Nova', number, validateContact })
  expect(await isRefused((number) => row(number, 'true'))).toEqual(unknown)
  expect((await row('5511944460000', 'false')).status).toBe(200)
  const table = async (numbers: string[], validateContact: string) => {
    const text = `Nome;Numero\n${numbers.map((number) => `Iara;${number}`).join('\n')}\n`
    const { body } = await app.as('admin')('POST', '/contacts/upload', contactTable(text))
    const { body: work } = await app.as('admin')('POST', `/contacts/upload/${body.id}/begin`, { existing: 'update', validateContact })
    await eventually(
      async () => (await app.as('admin')('GET', '/works')).body.find(({ id }: { id: number }) => id === work.id),
      ({ state }) => state === 'done',
    )
    return (await app.as('admin')('GET', `/contacts/upload/${body.id}/result`)).body
  }
  await untilLeased()
  const numbers = ['5511944460000', '5511944470000', '5511944470001']
  expect(await table(numbers, 'true')).toEqual({ total: 3, created: 1, updated: 1, unchanged: 0, ignored: 1 })
  expect(await table(numbers, 'false')).toEqual({ total: 3, created: 1, updated: 0, unchanged: 2, ignored: 0 })
})

it('a number is not checked while no connection can be asked', async () => {
  await setStatus('DISCONNECTED')
  expect((await create('5511944440000')).status).toBe(200)
  await setStatus('CONNECTED')
})

it('a contact is saved if the connected connection does not answer the question', async () => {
  const without = await startTestApp({ roles: ['web', 'projector'] }) // no worker answers
  const done = new AbortController()
  const ended = runLeaseCoordinator([processInbound], without.ctx, done.signal)
  try {
    const isLeased = () => without.db.selectFrom('connectionLease').select('connectionId').execute()
    await eventually(isLeased, (rows) => rows.length > 0)
    const { status } = await without.as('admin')('POST', '/contacts', { name: 'Iara Nova', number: '5511944450000' })
    expect(status).toBe(200)
  } finally {
    done.abort()
    await ended
    await without.stop()
  }
})
