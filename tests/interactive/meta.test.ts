import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Leaving, leavesAs } from '#domain/channel/rules.ts'
import { own, startAtAll, type WithMeta } from '#tests/meta/house.ts'
import { eventually } from '#tests/support/wait.ts'

/* Each of Meta's products: what it shows natively, and what it gets as text (A-MSG-05). */
let at: WithMeta
beforeAll(async () => {
  at = await startAtAll()
})
afterAll(async () => at?.stop())

const button = { title: 'Oferta', buttonText: 'Ver' }
const few = { ...button, sections: [{ rows: [{ title: 'Manhã' }, { title: 'Tarde' }] }] }
const pix = { title: 'Pedido', sendkey_type: 'CPF', sendKey: '52998224725', sendmerchant_name: 'Loja', sendvalue: 1 }

async function served(name: string): Promise<number> {
  const { id } = await at.shows(name, (all) => all.length === 1)
  expect((await at.admin('PUT', `/tickets/${id}`, { status: 'open', queueId: at.house.company.queues.vendas })).status).toBe(200)
  return id
}
/** Sends a message and returns it as that person received it. */
async function sent(ticketId: number, person: string, path: string, body: object) {
  const before = at.meta.world.reached(person).length
  const answer = await at.admin('POST', `/messages/${path}/${ticketId}`, body)
  expect(answer.status).toBe(200)
  const arrived = await eventually(
    async () => at.meta.world.reached(person).slice(before),
    (all) => all.length > 0,
  )
  const [message] = answer.body.messages
  const { channel, provider } = (await at.admin('GET', `/whatsapp/${message.ticket.whatsappId}`)).body
  expect([path, reachedAs(arrived[0])]).toEqual([path, leavesAs(message.interactive, { channel, provider, group: false, enabled: true })]) // as the preview showed it
  return { message, arrived: arrived[0]! }
}
function reachedAs({ type, content }: any): Leaving {
  if (type === 'interactive') return content.type === 'button' ? 'buttons' : 'touch'
  if (content?.attachment?.payload?.template_type === 'button') return 'touch'
  return content?.replies?.length > 0 ? 'choices' : 'words'
}

it('the Cloud API shows buttons, lists and links, and the rest as text', async () => {
  const ida = at.meta.whatsapp.person('Ida', '5511981000001')
  at.meta.whatsapp.text(own.phoneNumberId, ida, 'oi')
  const id = await served('Ida')
  const buttons = await sent(id, ida.id, 'lista', few)
  expect(buttons.arrived).toMatchObject({
    type: 'interactive',
    content: {
      ...{ type: 'button', body: { text: 'Oferta' } },
      action: { buttons: [{ type: 'reply', reply: { id: '1', title: 'Manhã' } }, { reply: { id: '2' } }] },
    },
  })
  const reply = { type: 'button_reply', button_reply: { id: '2', title: 'Tarde' } }
  at.meta.whatsapp.says(own.phoneNumberId, ida, { type: 'interactive', interactive: reply, context: { id: buttons.arrived.id } })
  const { messages } = await at.shows('Ida', (all) => all.at(-1).body === 'Tarde')
  expect(messages.at(-1)).toMatchObject({ fromMe: false, quotedMsg: { id: buttons.message.id } })

  const described = [{ title: 'Hoje', rows: [{ title: 'Manhã', description: 'até 12h' }] }]
  expect((await sent(id, ida.id, 'lista', { ...button, description: 'Escolha', sections: described })).arrived.content).toMatchObject({
    ...{ type: 'list', header: { type: 'text', text: 'Oferta' }, body: { text: 'Escolha' } },
    action: { button: 'Ver', sections: [{ title: 'Hoje', rows: [{ id: '1', title: 'Manhã', description: 'até 12h' }] }] },
  })
  expect((await sent(id, ida.id, 'URL', { ...button, copyText: 'loja.test' })).arrived.content).toMatchObject({
    ...{ type: 'cta_url', action: { name: 'cta_url', parameters: { display_text: 'Ver', url: 'https://loja.test/' } } },
  })
  const words = await sent(id, ida.id, 'PIX', pix)
  expect(words.arrived).toMatchObject({ type: 'text', body: words.message.body })
  expect((await sent(id, ida.id, 'copy', { ...button, copyText: 'DEZ' })).arrived).toMatchObject({
    type: 'text',
    body: 'Oferta\n\nVer:\n\nDEZ',
  })
})

it.each([
  ['page', '2001'],
  ['instagram', '3001'],
] as const)('%s gets a list as text with quick replies, a link as a button, and a Pix payment as text', async (product, account) => {
  const name = `Lia ${product}`
  const side = at.meta[product]
  const lia = side.person(name)
  side.text(account, lia, 'oi')
  const id = await served(name)
  const { arrived, message } = await sent(id, lia.id, 'lista', few)
  expect(arrived).toMatchObject({ body: 'Oferta\n\n1. Manhã\n2. Tarde', content: { replies: [{ title: 'Manhã' }, { title: 'Tarde' }] } })
  side.text(account, lia, 'Tarde', { quick_reply: { payload: arrived.content.replies[1].payload } })
  const { messages } = await at.shows(name, (all) => all.at(-1).body === 'Tarde')
  expect(messages.at(-1)).toMatchObject({ fromMe: false, quotedMsg: { id: message.id } })
  expect((await sent(id, lia.id, 'URL', { ...button, copyText: 'loja.test' })).arrived.content.attachment).toMatchObject({
    type: 'template',
    payload: { template_type: 'button', text: 'Oferta', buttons: [{ type: 'web_url', url: 'https://loja.test/', title: 'Ver' }] },
  })
  const called = await sent(id, lia.id, 'call', { ...button, copyText: '+5511940041234' })
  if (product === 'page') expect(called.arrived.content.attachment.payload.buttons).toMatchObject([{ type: 'phone_number' }])
  else expect(called.arrived.body).toBe('Oferta\n\nVer: +5511940041234')
  const words = await sent(id, lia.id, 'PIX', pix)
  expect(words.arrived).toMatchObject({ type: 'text', body: words.message.body.trim() })
})
