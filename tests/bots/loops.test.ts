import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '#tests/support/server.ts'
import { customerOf, toldIn } from './customer.ts'

/* A bot that talks to a bot: neither would ever end it. */
let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app?.stop())

it('a queue that only informs tells another bot five times in an hour, then people look (A-BOT-03, A-BOT-06)', async () => {
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
  expect((await toldIn(app, (await robot.ticket()).id)).filter((type) => type.includes('tooMany'))).toEqual(['A-BOT-03 tooManyTickets'])
  expect(await robot.says('Obrigado pela mensagem!')).toEqual([]) // and nobody answers it
  const other = customerOf(app, connections.balcao)
  expect(await other.says('Que horas abre?')).toEqual(['Abrimos às 9h.']) // each counts for themselves
  expect(await other.ticket()).toMatchObject({ status: 'closed' })
})
