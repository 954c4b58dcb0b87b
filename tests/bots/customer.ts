import type { TestApp } from '#tests/support/server.ts'

let people = 0
/** A customer on the phone: writes one message after the other, each after the last was processed, and returns the answers. */
export function customerOf(app: TestApp, connection: number, group?: { id: string; name: string }) {
  const from = `55119${String(60_000_000 + ++people)}`
  const chat = group?.id ?? from
  let seen = 0
  async function heard(): Promise<string[]> {
    await app.settled()
    const { body } = await app.as('admin')('GET', `/sandbox/${connection}/outbox?to=${chat}`)
    return (body as { body: string }[]).map((one) => one.body)
  }
  return {
    from,
    async says(body: string, more: object = {}) {
      await app.phone.says(from, body, { connection, ...(group && { group }), ...more })
      const all = await heard()
      const fresh = all.slice(seen)
      seen = all.length
      return fresh
    },
    heard,
    async ticket() {
      await app.settled()
      const found = app.db.selectFrom('ticket').innerJoin('contact', 'contact.id', 'ticket.contactId').selectAll('ticket')
      return found.where('contact.number', '=', chat).orderBy('ticket.id', 'desc').executeTakeFirstOrThrow()
    },
  }
}

/** The event types of a ticket's stream; automatic actions with their rule and reason. */
export async function receivedIn(app: TestApp, ticketId: number): Promise<string[]> {
  const events = await app.ctx.eventStore.read(`ticket-${app.company.companies.casa}-${ticketId}`)
  return events.events.map(({ type, data }) => {
    const { rule, reason } = data as { rule?: string; reason?: string }
    return type === 'AutomationActed' ? `${rule} ${reason}` : type
  })
}
