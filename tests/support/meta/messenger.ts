import type { FastifyReply } from 'fastify'
import type { MediaHost } from './media.ts'
import { type Account, type Arrived, appId, type Called, hour, No, type Person, type World } from './world.ts'

const objects = { page: 'page', instagram: 'instagram', whatsapp: '' }

/** Messenger and Instagram: the page's side as calls, and the customers as people who write. */
export function messenger(world: World, media: MediaHost) {
  const read: { account: string; person: string }[] = []
  /** Times of recently sent files, by account. */
  const files = new Map<string, number[]>()
  function bearsFile(account: string): boolean {
    const now = performance.now()
    const lately = [...(files.get(account) ?? []).filter((at) => at > now - 1000), now]
    files.set(account, lately)
    return lately.length <= 10
  }
  const envelope = (account: string, ...events: object[]) => told(account, 'messaging', events)
  function told(account: string, list: 'messaging' | 'standby', events: object[]): void {
    const { product } = world.accounts.get(account)!
    world.hooks.tell(objects[product], [{ id: account, time: world.now(), [list]: events }])
  }
  const between = (from: string, to: string) => ({ sender: { id: from }, recipient: { id: to }, timestamp: world.now() })

  /** The echo of a message that the account sent, by the app or by hand. */
  function echo({ account, to, id, body, content }: Arrived, app: string | null): void {
    const metadata = world.accounts.get(account)!.product === 'page' && content.metadata // Instagram returns no metadata
    const message = {
      mid: id,
      ...(body && { text: body }),
      is_echo: true,
      ...(app && { app_id: Number(app) }),
      ...(metadata && { metadata }),
    }
    const { attachment } = content
    envelope(account, { ...between(account, to), message: { ...message, ...(attachment && { attachments: [attachment] }) } })
  }

  async function send(account: Account, body: any, untold = false): Promise<object> {
    const person = world.people.get(String(body.recipient?.id))
    if (!person || person.unknown) throw new No(100, 2018001)
    if (person.away) throw new No(551)
    if (body.sender_action === 'react' || body.sender_action === 'unreact') {
      const on = world.arrived.find(({ id }) => id === body.payload?.message_id)
      if (on) on.reaction = body.sender_action === 'react' ? body.payload.reaction : null
      return { recipient_id: person.id }
    }
    if (body.sender_action) {
      if (body.sender_action === 'mark_seen') read.push({ account: account.id, person: person.id })
      return { recipient_id: person.id }
    }
    if (world.elsewhere.has(`${account.id}/${person.id}`)) throw new No(10, 2018300, 403)
    const since = world.sinceHeard(account.id, person.id)
    const byPerson = body.messaging_type === 'MESSAGE_TAG' && body.tag === 'HUMAN_AGENT'
    if (byPerson && !world.humanAgent) throw new No(10, 200)
    const closed = account.product === 'page' ? 2018278 : 2534022
    if (since > (byPerson ? 7 * 24 : 24) * hour) throw new No(10, closed, 400)
    const { text = '', attachment = null, metadata, quick_replies: replies } = body.message ?? {}
    if (text === '' && !attachment) throw new No(100)
    if (account.product === 'instagram' && Buffer.byteLength(text) > 1000) throw new No(100, 2534023)
    const file = attachment && media.files.get(String(attachment.payload?.attachment_id))
    if (attachment?.payload?.attachment_id && !file) throw new No(100, 2018074)
    if (file && !bearsFile(account.id)) {
      world.limited += 1
      throw new No(613)
    }
    const arrived: Arrived = {
      ...{ id: world.newId('m_'), account: account.id, to: person.id, type: attachment?.type ?? 'text', body: text, at: world.now() },
      ...{
        content: { attachment, metadata, ...(replies && { replies }), ...(file && { bytes: file.content, mime: file.mime }) },
        quoted: body.reply_to?.mid ?? null,
        reaction: null,
        tag: byPerson ? body.tag : null,
      },
    }
    world.arrived.push(arrived)
    if (!untold) echo(arrived, appId)
    if (account.product === 'page' && !untold)
      envelope(account.id, { ...between(person.id, account.id), delivery: { mids: [arrived.id], watermark: world.now() } })
    await world.echoesFirst?.()
    return { recipient_id: person.id, message_id: arrived.id }
  }

  /** The newest message to a person, from the account or from one linked to it. */
  function conversation(page: string, { platform, user_id }: Record<string, string>): object {
    const ofIt = ({ id, product, page: linked }: Account) =>
      platform === 'instagram' ? product === 'instagram' && linked === page : id === page
    const mine = world.arrived.filter(({ account, to }) => to === user_id && ofIt(world.accounts.get(account)!))
    const data = mine
      .toReversed()
      .map(({ id, body, account, at }) => ({ id, message: body, from: { id: account }, created_time: new Date(at).toISOString() }))
    return { data: data.length > 0 ? [{ id: `t_${user_id}`, messages: { data } }] : [] }
  }

  /** The page itself, or the linked account that the person wrote to. */
  const speaking = (page: Account, person: string): Account =>
    [...world.accounts.values()].find((one) => one.page === page.id && world.sinceHeard(one.id, person) < world.now()) ?? page

  const side = (product: 'page' | 'instagram') => ({
    account(id: string, name: string, page?: string): void {
      world.accounts.set(id, { product, id, name, ...(page !== undefined && { page }) })
    },
    person(name: string, more: Partial<Person> = {}): Person {
      const one = { id: world.newId('2').replace(/\D/g, ''), name, ...more }
      world.people.set(one.id, one)
      return one
    },
    /** Any event of a person: `what` is added to sender and time. */
    event: (account: string, person: Person, what: object) => envelope(account, { ...between(person.id, account), ...what }),
    text(account: string, person: Person, text: string, more: object = {}): string {
      const mid = world.newId('m_')
      world.wrote(account, person.id)
      envelope(account, { ...between(person.id, account), message: { mid, text, ...more } })
      return mid
    },
    /** Several messages in one envelope, in this order. */
    texts(account: string, person: Person, texts: string[]): string[] {
      world.wrote(account, person.id)
      const list = texts.map((text) => ({ ...between(person.id, account), message: { mid: world.newId('m_'), text } }))
      envelope(account, ...list)
      return list.map(({ message }) => message.mid)
    },
    attachment(account: string, person: Person, type: string, url: string): string {
      const mid = world.newId('m_')
      world.wrote(account, person.id)
      envelope(account, { ...between(person.id, account), message: { mid, attachments: [{ type, payload: { url } }] } })
      return mid
    },
    /** Another app owns the conversation, and ours only gets copies. */
    standby(account: string, person: Person, text: string): string {
      const mid = world.newId('m_')
      told(account, 'standby', [{ ...between(person.id, account), message: { mid, text } }])
      return mid
    },
    /** A person answers by hand in the page’s own inbox. */
    byHand(account: string, person: Person, text: string): string {
      const id = world.newId('m_')
      const base = { id, account, to: person.id, type: 'text', body: text, content: {}, at: world.now(), quoted: null }
      echo({ ...base, reaction: null, tag: null }, '263902037430900')
      return id
    },
    reads: (account: string, person: Person, mid?: string) =>
      envelope(account, { ...between(person.id, account), read: product === 'page' ? { watermark: world.now() } : { mid } }),
  })
  const sides = { page: side('page'), instagram: side('instagram'), seen: read }

  return {
    sides,
    async answer({ method, path, body, token, query, untold }: Called, _reply: FastifyReply): Promise<unknown> {
      const [id = '', what = ''] = path.split('/')
      const account = world.accounts.get(id)
      if (account && account.product !== 'whatsapp') {
        const owner = world.bearer(token, query.appsecret_proof)
        if (owner.of !== (account.page ?? id)) throw new No(200, undefined, 403)
        if (method === 'POST' && what === 'messages') {
          if (account.product === 'instagram') throw new No(100, 33) // a page's token belongs to the page, even if its Instagram account sends
          return send(speaking(account, String(body.recipient?.id)), body, untold)
        }
        if (method === 'POST' && what === 'take_thread_control') {
          const person = String(body.recipient?.id)
          if (!world.mayTake) throw new No(10, 2018301, 403)
          world.elsewhere.delete(`${speaking(account, person).id}/${person}`)
          return { success: true }
        }
        if (method === 'POST' && what === 'subscribed_apps') {
          world.subscribed.set(id, (query.subscribed_fields ?? '').split(','))
          return { success: true }
        }
        if (method === 'GET' && what === 'subscribed_apps') {
          const fields = world.subscribed.get(id)
          return { data: fields ? [{ id: appId, name: 'Guichê', subscribed_fields: fields }] : [] }
        }
        if (method === 'POST' && what === 'message_attachments') {
          const { attachment } = JSON.parse(String(body.message)) as { attachment?: { type?: string } }
          if (!attachment?.type || !Buffer.isBuffer(body.filedata)) throw new No(100)
          return { attachment_id: media.keep(body.filedata, attachment.type, 'file', true).id }
        }
        if (method === 'GET' && what === 'conversations') return conversation(id, query)
        if (method === 'GET' && what === '') return { id, name: account.name }
      }
      const person = world.people.get(id)
      if (method !== 'GET' || what !== '' || !person || person.phone) return undefined
      world.bearer(token, query.appsecret_proof)
      const [first, ...rest] = person.name.split(' ')
      return { id, first_name: first, last_name: rest.join(' '), name: person.name, profile_pic: person.picture }
    },
  }
}
