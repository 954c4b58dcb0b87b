/**
 * `npm run demo:whatsapp`: the app with the WhatsApp double, whose three phones are shown on a page. A number can
 * be linked without an account.
 */
import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import tls from 'node:tls'
import type { proto } from '@whiskeysockets/baileys'
import { parseArguments } from '#app/commands/tools.ts'
import { demoPassword } from '#app/demo/accounts.ts'
import { whatsappDouble } from './double.ts'
import { oddMessages } from './odd-messages.ts'
import type { Contact } from './world.ts'

type Said = { mine: boolean; text: string; options: string[]; id: string }

parseArguments({})
const setup = new URL('../../../app/setup.mjs', import.meta.url).pathname
const { status } = spawnSync(process.execPath, [setup, 'build'], { stdio: 'inherit' }) // the setup builds the client only for a server that it starts itself
if (status !== 0) process.exit(1)

const double = await whatsappDouble()
const shop = double.addPhone({ pn: '5511900000001', name: 'Loja' })
const customers = [double.addContact({ pn: '5511900000002', name: 'Ana' }), double.addContact({ pn: '5511900000003', name: 'Bento' })]
const said = new Map<string, Said[]>(customers.map(({ pn }) => [pn, []]))
/** Customers to whom an agent is typing. */
const awaiting = new Set<string>()
double.world.events.on('chatstate', ({ to, state }) => {
  const contact = customers.find(({ jid, lidJid }) => to === jid || to === lidJid)
  if (contact) awaiting[state === 'composing' ? 'add' : 'delete'](contact.pn)
})
double.world.events.on('arrived', (contact: Contact) => {
  awaiting.delete(contact.pn)
  const one = contact.received.at(-1)!
  said.get(contact.pn)?.push({ mine: false, id: one.id, ...shownOf(one.message) })
})

tls.setDefaultCACertificates([...tls.getCACertificates('default'), double.certificate]) // the double also serves the files
const page = await readFile(new URL('demo.html', import.meta.url))
const phones = createServer((request, response) => {
  answer(request).then(
    (body) =>
      response
        .setHeader('content-type', Buffer.isBuffer(body) ? 'text/html; charset=utf-8' : 'application/json')
        .end(Buffer.isBuffer(body) ? body : JSON.stringify(body)),
    (error: Error) => response.writeHead(400, { 'content-type': 'application/json' }).end(JSON.stringify({ error: error.message })),
  )
})
phones.listen(Number(process.env.PHONES_PORT ?? 8090), '127.0.0.1')
await once(phones, 'listening')

const { PORT = '8080', DATA_DIR = '.data-whatsapp' } = process.env
Object.assign(process.env, { PORT, DATA_DIR, DEMO: '1', SANDBOX: '0', WHATSAPP_URL: double.url, WHATSAPP_VERSION_URL: double.versionUrl })
const product = `http://127.0.0.1:${PORT}`
await import('#app/main.ts') // in this process, which the app ends on a signal, so nothing is left
const { port } = phones.address() as AddressInfo
console.log(`Phones: http://127.0.0.1:${port}/ (create a WhatsApp connection, and link “Loja” to it)`)

async function answer(request: IncomingMessage): Promise<Buffer | object> {
  if (request.method === 'GET' && request.url === '/') return page
  if (request.method === 'GET' && request.url === '/phones')
    return {
      kinds: Object.keys(oddMessages),
      shop: { name: shop.name, number: shop.pn, linked: double.companions(shop).length > 0 },
      customers: customers.map(({ pn, name }) => ({ name, number: pn, said: said.get(pn), awaits: awaiting.has(pn) })),
    }
  if (request.method !== 'POST') throw new Error('Not found')
  const given = JSON.parse(Buffer.concat(await request.toArray()).toString() || '{}') as Record<string, string>
  if (request.url === '/scan') await shop.scan(await codeShown())
  else if (request.url === '/code') await shop.enterCode(String(given.code).replace(/\W/g, '').toUpperCase())
  else if (request.url === '/say') await says(given)
  else if (request.url === '/send') await sends(given)
  else if (request.url === '/type') customers.find(({ pn }) => pn === given.number)?.type(shop)
  else throw new Error('Not found')
  return {}
}

async function says({ number, text = '', quoted }: Record<string, string>): Promise<void> {
  const contact = customers.find(({ pn }) => pn === number)
  if (!contact || text.trim() === '') throw new Error('Unknown contact or empty text')
  const contextInfo = quoted ? { stanzaId: quoted, participant: shop.jid } : undefined
  const id = await contact.send(shop, contextInfo ? { extendedTextMessage: { text, contextInfo } } : { conversation: text })
  said.get(contact.pn)!.push({ mine: true, text, options: [], id })
}

/** Sends a message of one of the kinds that the page offers. */
async function sends({ number, kind = '' }: Record<string, string>): Promise<void> {
  const contact = customers.find(({ pn }) => pn === number)
  const send = Object.hasOwn(oddMessages, kind) ? oddMessages[kind] : undefined
  if (!contact || !send) throw new Error('Unknown contact or kind')
  said.get(contact.pn)!.push({ mine: true, text: `(${kind})`, options: [], id: await send(contact, shop) })
}

/** The code on the app's screen. It signs in as another user, so that the session of the page that shows it stays. */
async function codeShown(): Promise<string> {
  const ask = async (method: string, at: string, token = '', body?: object): Promise<any> => {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` }
    const found = await fetch(`${product}/api${at}`, { method, headers, ...(body && { body: JSON.stringify(body) }) })
    return found.json()
  }
  const { token } = await ask('POST', '/auth/login', '', { email: 'super@demo.test', password: demoPassword })
  for (const { id, status } of await ask('GET', '/whatsapp', token)) {
    const { qrcode } = status === 'qrcode' ? await ask('GET', `/whatsapp/${id}`, token) : { qrcode: '' }
    if (qrcode) return qrcode
  }
  throw new Error('No connection shows a code')
}

function shownOf(message: proto.IMessage): Pick<Said, 'text' | 'options'> {
  const {
    interactiveMessage: touched,
    extendedTextMessage,
    conversation,
    imageMessage,
    audioMessage,
    documentMessage,
    contactsArrayMessage,
  } = message
  const text = touched?.body?.text ?? extendedTextMessage?.text ?? conversation
  const file = imageMessage ? '📷' : audioMessage ? '🎤' : documentMessage ? '📎' : contactsArrayMessage ? '👤' : '…'
  const [button] = touched?.nativeFlowMessage?.buttons ?? []
  const { sections = [] } =
    button?.name === 'single_select' ? (JSON.parse(button.buttonParamsJson!) as { sections?: { rows: { title: string }[] }[] }) : {}
  return { text: text || file, options: sections.flatMap(({ rows }) => rows.map(({ title }) => title)) }
}
