import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '#tests/support/server.ts'
import { customerOf, receivedIn } from './customer.ts'

/* Two bots that answer each other would never stop by themselves. */
let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app?.stop())

it('an informing queue answers five times in an hour, then hands over (A-BOT-03, A-BOT-06)', async () => {
  const { connections, queues } = app.company
  const informs = { closeTicket: true, greetingMessage: 'Abrimos às 9h.' }
  await app.db.updateTable('queue').set(informs).where('id', '=', queues.vendas).execute()
  const robot = customerOf(app, connections.balcao)
  for (let n = 0; n < 5; n++) {
    expect(await robot.says('Obrigado pela mensagem!')).toEqual(['Abrimos às 9h.'])
    expect(await robot.ticket()).toMatchObject({ status: 'closed' })
  }
  expect(await robot.says('Obrigado pela mensagem!')).toEqual(['Abrimos às 9h.', expect.stringMatching(/equipe vai continuar/)])
  expect(await robot.ticket()).toMatchObject({ status: 'pending', isBot: false, queueId: queues.vendas })
  expect((await receivedIn(app, (await robot.ticket()).id)).filter((type) => type.includes('tooMany'))).toEqual(['A-BOT-03 tooManyTickets'])
  expect(await robot.says('Obrigado pela mensagem!')).toEqual([]) // nobody answers
  const other = customerOf(app, connections.balcao)
  expect(await other.says('Que horas abre?')).toEqual(['Abrimos às 9h.']) // each contact has a separate count
  expect(await other.ticket()).toMatchObject({ status: 'closed' })
})
