import { expect } from 'vitest'
import type { TestApp } from './server.ts'
import { eventually } from './wait.ts'

/** Steps for tests of waiting: a customer writes, an agent answers, and the app's clock advances. */
export function hours(app: TestApp) {
  const minute = 60_000
  const set = (to: object, id = app.company.connections.balcao) =>
    app.db
      .updateTable('connection')
      .set(to as any)
      .where('id', '=', id)
      .execute()
  const pass = async (minutes: number) => {
    expect((await app.as('admin')('POST', '/sandbox/clock', { advanceMs: minutes * minute })).status).toBe(200)
  }
  const ticketOf = async (number: string) => {
    await app.settled()
    const { tickets } = (await app.as('admin')('GET', `/tickets?status=search&searchParam=${number}`)).body
    return tickets[0]
  }
  const says = async (number: string, body = 'oi', more = {}) => {
    await app.phone.says(number, body, more)
    return ticketOf(number)
  }
  const answer = async (number: string, body: string) => {
    const { id } = await ticketOf(number)
    await app.as('ana')('PUT', `/tickets/${id}`, {
      status: 'open',
      userId: app.company.users.ana,
      queueId: app.company.queues.vendas,
    })
    expect((await app.as('ana')('POST', `/messages/${id}`, { body })).status).toBe(200)
    await app.settled()
  }
  const heard = async (number: string, connection = app.company.connections.balcao) =>
    (await app.as('admin')('GET', `/sandbox/${connection}/phone/${number}`)).body
      .filter((line: any) => !line.mine)
      .map((line: any) => line.body)
  const status = (number: string, to: string) =>
    eventually(
      () => ticketOf(number),
      (ticket) => ticket.status === to,
    )
  const log = async (number: string) =>
    (await app.as('admin')('GET', `/tickets-log/${(await ticketOf(number)).id}`)).body.map(({ type, rule }: any) => [type, rule])
  return { set, pass, ticketOf, says, answer, heard, status, log }
}
