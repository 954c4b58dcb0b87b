import { expect } from 'vitest'
import type { TicketRow } from '#domain/ticket/contract.ts'
import type { Scene } from '#tests/http/scene.ts'
import type { TestApp } from '#tests/support/server.ts'

export type Customer = { id: number; number: string; ticketId: number }

/** Customers who write, and what an admin does with their contacts and tickets. `of`: called at each use. */
export function customersOf(of: () => { app: TestApp; scene: Scene }) {
  let people = 0
  const newNumber = () => `55119${String(41_000_000 + ++people)}`
  const call = (method: string, path: string, body?: object) => of().app.as('admin')(method, path, body)
  const ok = async (method: string, path: string, body?: object) => {
    const { status, body: answer } = await call(method, path, body)
    expect([status, answer]).toEqual([status < 300 ? status : 200, answer])
    return answer
  }
  /** A customer who wrote once; the ticket waits. */
  async function customer(text: string): Promise<Customer> {
    const number = newNumber()
    await of().app.phone.says(number, text)
    await of().app.settled()
    const [ticket] = (await ok('GET', `/tickets?status=search&searchParam=${number}`)).tickets
    return { id: ticket.contactId, number, ticketId: ticket.id }
  }
  async function close({ ticketId }: Pick<Customer, 'ticketId'>, more: object = {}): Promise<void> {
    await ok('PUT', `/tickets/${ticketId}`, { status: 'open', queueId: of().scene.queues.vendas })
    await ok('PUT', `/tickets/${ticketId}`, { status: 'closed', sendFarewellMessage: false, ...more })
    await of().app.settled()
  }
  const merge = (source: Pick<Customer, 'id'>, target: Pick<Customer, 'id'>) =>
    call('POST', `/contacts/${source.id}/merge`, { targetId: target.id })
  const separate = (source: Pick<Customer, 'id'>) => call('POST', `/contacts/${source.id}/separate`, {})
  const ticketsOf = async ({ id }: Pick<Customer, 'id'>): Promise<TicketRow[]> =>
    (await ok('GET', `/tickets?contactId=${id}&status=search&showAll=true`)).tickets.toSorted((a: TicketRow, b: TicketRow) => a.id - b.id)
  const sentTo = async ({ number }: Customer): Promise<string[]> =>
    (await ok('GET', `/sandbox/${of().scene.connections.balcao}/outbox?to=${number}`)).map(({ body }: { body: string }) => body)
  const say = async (ticketId: number, body: string) => {
    await ok('POST', `/messages/${ticketId}`, { body })
    await of().app.settled()
  }
  const overview = ({ id }: Pick<Customer, 'id'>) => ok('GET', `/contacts/${id}/overview`)
  return { newNumber, call, ok, customer, close, merge, separate, ticketsOf, sentTo, say, overview }
}
