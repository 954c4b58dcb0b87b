import { createHmac } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { expect } from 'vitest'
import { WebSocket } from 'ws'
import { password } from '#tests/support/seed-companies.ts'
import { eventually } from '#tests/support/wait.ts'
import { head } from '#tests/support/wire.ts'
import { type Attacker, type Attacks, json, secrets } from './attacker.ts'

/**
 * Shorter than the intervals at which permissions are rechecked without a change: ten seconds, minutes for
 * sockets.
 */
const noticedMs = 9000

const file = (content: string | Buffer, name: string, fields: Record<string, string> = {}) => {
  const data = new FormData()
  for (const [field, value] of Object.entries(fields)) data.append(field, value)
  data.append('medias', new Blob([content as never]), name)
  return data
}
const png = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64')
const phoneSays = ({ ask, scene }: Attacker, more: object) =>
  ask('admin', 'POST', `/sandbox/${scene.connections.balcao}/inbound`, {
    ...{ id: crypto.randomUUID(), from: '5511955550001', name: 'Cliente' },
    ...more,
  })

/** Attacks by signed-in users who try to exceed their permissions. */
export const byInsiders = (on: Attacker): Attacks => {
  const { house: app, scene, ask, says, raw, served, waiting, opening } = on
  return {
    F5: [
      'a message that a customer deleted is in no list, search or export if so configured',
      async () => {
        await app.set('lgpdDeleteMessage', 'enabled')
        const id = crypto.randomUUID()
        await phoneSays(on, { id, body: secrets.customers })
        await app.settled()
        const { tickets } = (await ask('admin', 'GET', '/tickets?status=search&searchParam=Cliente')).body
        await phoneSays(on, { deletes: id })
        await app.settled()
        const thread = await app.as('admin')('GET', `/messages/${tickets[0].id}`)
        const found = await app.as('admin')('GET', `/messages/${tickets[0].id}/search?searchParam=${secrets.customers}`)
        const hits = await app.as('admin')('GET', `/tickets?status=search&searchParam=${secrets.customers}`)
        expect(thread.body.messages).toMatchObject([{ isDeleted: true, body: '' }])
        expect([found.body.messages, hits.body.tickets]).toEqual([[], []])
      },
    ],
    F6: [
      'a masked auditor finds a contact by the whole number only',
      async () => {
        await app.set('enableLGPD', 'enabled')
        await app.set('lgpdHideNumber', 'enabled')
        const found = async (text: string) => (await ask('dulce', 'GET', `/contacts?searchParam=${text}`)).body.contacts.length
        for (const part of ['98765', '8765432', '551198765432', '5511987'])
          expect({ part, found: await found(part) }).toEqual({ part, found: 0 })
        expect(await found('5511987654321')).toBe(1)
        await app.set('lgpdHideNumber', 'disabled')
      },
    ],
    F7: [
      'a picture named boleto.pdf.hta gets the name of its type, and is served under that only',
      async () => {
        const { id } = await scene.served()
        const { media, mediaUrl } = (await ask('ana', 'POST', `/messages/${id}`, file(png, 'boleto\u202Egpj.pdf.hta'))).body.messages[0]
        expect(media.name).toMatch(/^[\w.]+\.png$/)
        expect((await ask(null, 'GET', mediaUrl.replace('.png', '.hta'))).status).toBe(404)
      },
    ],
    F8: [
      'a malformed list of ids is an input error',
      async () => {
        for (const query of [
          'tags=[01]',
          'users=[1e9]',
          'queueIds=[-1]',
          'whatsappIds=[[1]]',
          'statusFilter=["x"',
          'tags=%5B%22a%22%5D',
          'pageNumber=0',
        ])
          expect({ query, status: (await ask('admin', 'GET', `/tickets?status=search&${query}`)).status }).toEqual({ query, status: 400 })
      },
    ],
    F9: [
      'a change of a colleague’s ticket is answered 404, and a lost race only names the owner',
      async () => {
        const out = await waiting('suporte')
        await ask('bruno', 'PUT', `/tickets/${out.id}`, { status: 'open', userId: scene.users.bruno })
        expect(await says(ask('ana', 'PUT', `/tickets/${out.id}`, { status: 'open', userId: scene.users.ana }))).toEqual([
          404,
          'ERR_NO_TICKET_FOUND',
        ])
        const race = await waiting('vendas')
        await ask('bruno', 'PUT', `/tickets/${race.id}`, { status: 'open', userId: scene.users.bruno })
        const lost = await ask('ana', 'PUT', `/tickets/${race.id}`, { status: 'open', userId: scene.users.ana })
        expect([lost.status, Object.keys(lost.body).sort()]).toEqual([409, ['error', 'message', 'queue', 'user']])
      },
    ],
    F11: [
      'an internal note is not quoted to a customer',
      async () => {
        const own = await scene.served()
        const note = await scene.message(own, 'ana', { isPrivate: true })
        expect(await says(ask('ana', 'POST', `/messages/${own.id}`, { body: 'veja', quotedMsg: { id: note.id } }))).toEqual([
          404,
          'ERR_FETCH_WAPP_MSG',
        ])
      },
    ],
    F12: [
      'a reaction needs the permission to answer, and is one emoji',
      async () => {
        const own = await scene.served()
        const { id } = await scene.message(own)
        expect(await says(ask('bruno', 'POST', `/messages/${id}/reactions`, { type: '👍' }))).toEqual([403, 'ERR_NO_PERMISSION'])
        for (const type of ['ok', '👍👍', '<b>', 'https://x'])
          expect({ type, status: (await ask('ana', 'POST', `/messages/${id}/reactions`, { type })).status }).toEqual({ type, status: 400 })
      },
    ],
    F13: [
      'an agent opens no ticket in a queue that they do not serve',
      async () => {
        const { status, body } = await ask('ana', 'POST', '/tickets', await opening('suporte'))
        expect([status >= 400 && status < 500, body.id]).toEqual([true, undefined])
      },
    ],
    F16: [
      'a file for another company’s ticket is not read, and a refused one leaves nothing',
      async () => {
        const own = await scene.served()
        const kept = () => app.db.selectFrom('media').select('key').execute()
        const before = await kept()
        const to = (id: number, who: string) =>
          raw(
            `${head(`POST /api/messages/${id}`, `Authorization: Bearer ${who}`, 'Content-Length: 60000000', 'Content-Type: multipart/form-data; boundary=x')}--x\r\nContent-Disposition: form-data; name="medias"; filename="a.txt"\r\n\r\naaa`,
          )
        const foreign = await to(scene.theirs.ticket.id, await app.tokenOf('ana'))
        const unanswerable = await to(own.id, await app.tokenOf('bruno'))
        await eventually(
          async () => [foreign.heard().slice(0, 12), unanswerable.heard().slice(0, 12)],
          (said) => said.join() === 'HTTP/1.1 404,HTTP/1.1 403',
        )
        for (const { socket } of [foreign, unanswerable]) socket.destroy()
        await scene.message(own, 'admin')
        expect(await says(ask('ana', 'POST', `/messages/${own.id}`, file('refused', 'a.txt', { seen: '0' })))).toEqual([
          409,
          'ERR_TICKET_CHANGED',
        ])
        await eventually(
          () => readdir(app.ctx.uploadDir),
          (left) => left.length === 0,
        )
        expect(await kept()).toEqual(before)
      },
    ],
    F17: [
      'search terms and aborted calls leave only the call in the log',
      async () => {
        await ask('ana', 'GET', `/contacts?searchParam=${secrets.sought}`)
        const token = await app.tokenOf('ana')
        const cut = await raw(`${head('POST /api/quick-messages', `Authorization: Bearer ${token}`, ...json(500))}{"shortcode":`)
        cut.socket.destroy()
        await cut.closed
        await served()
        expect(app.faults).toEqual([])
      },
    ],
    F20: [
      'revoked queues, permissions and roles end at open sockets too; foreign tokens are refused',
      async () => {
        const joined = async () => {
          const line = await app.socket('carla')
          line.emit('joinTickets', { status: 'pending' })
          line.emit('joinNotification')
          return { line, told: (id: number) => line.frames.some(({ ticket }) => ticket?.id === id) }
        }
        const old = await joined()
        const before = await waiting('suporte')
        await old.line.heard(({ ticket }) => ticket?.id === before.id)
        await app.db.deleteFrom('userQueue').where('userId', '=', scene.users.carla).execute()
        await expect.poll(() => old.line.socket.readyState, { timeout: noticedMs }).toBe(WebSocket.CLOSED) // the client reconnects with its new permissions
        const anew = await joined()
        const hidden = await waiting('suporte')
        expect((await ask('carla', 'GET', '/tickets?status=pending')).body.tickets).toEqual([])
        await scene.made('carla', 'POST', '/tags', { name: 'Depois', color: '#123456', kanban: 0 })
        await anew.line.heard(({ channel }) => channel.endsWith('-tag')) // this frame was sent after the hidden ticket's frame would have been
        expect([old.told(hidden.id), anew.told(hidden.id)]).toEqual([false, false])
        expect(await says(ask('carla', 'GET', `/messages/${hidden.id}`))).toEqual([404, 'ERR_NO_TICKET_FOUND'])

        expect((await ask('admin', 'GET', '/security-log')).status).toBe(200)
        await app.db.updateTable('user').set({ profile: 'user', flags: '{}' }).where('id', '=', scene.users.admin).execute()
        await expect.poll(async () => (await ask('admin', 'GET', '/security-log')).status, { timeout: noticedMs }).toBe(403)
        const [, claims] = (await app.tokenOf('ana')).split('.')
        for (const alg of ['none', 'HS512']) {
          const text = `${Buffer.from(JSON.stringify({ alg, typ: 'JWT' })).toString('base64url')}.${claims}`
          const signature = alg === 'none' ? '' : createHmac('sha512', app.ctx.secret).update(text).digest('base64url')
          expect((await ask(null, 'GET', '/auth/me', undefined, { authorization: `Bearer ${text}.${signature}` })).status).toBe(403)
        }
        const secure = await ask(null, 'POST', '/auth/login', { email: 'rita@casa.test', password }, { 'x-forwarded-proto': 'https' })
        app.forget('rita')
        expect(secure.headers.get('set-cookie')).toMatch(/^__Host-[^;]+; Path=\/; HttpOnly; Secure/)
        expect([secure.headers.get('cache-control'), secure.headers.get('strict-transport-security')]).toEqual([
          'no-store',
          expect.stringContaining('max-age='),
        ])
      },
    ],
    extraInfo: [
      'an unknown field in a body causes no error in a list',
      async () => {
        const contact = { name: 'Zélia', number: '5511955550077', extraInfo: [{ id: 'abc' }] }
        expect((await ask('ana', 'POST', '/contacts', contact)).status).toBe(400)
        expect((await ask('ana', 'GET', '/contacts')).status).toBe(200)
      },
    ],
  }
}
