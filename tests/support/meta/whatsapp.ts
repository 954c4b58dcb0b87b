import type { FastifyReply } from 'fastify'
import type { MediaHost } from './media.ts'
import { type Arrived, type Called, hour, No, type Person, type World } from './world.ts'

type Template = { name: string; language: string; status: string; category: string; components: Record<string, any>[] }
const object = 'whatsapp_business_account'
const kinds = ['text', 'image', 'video', 'audio', 'document', 'sticker', 'location', 'contacts', 'interactive', 'template']

const has = (text: unknown, most: number): boolean => typeof text === 'string' && text !== '' && text.length <= most
/** Whether Meta accepts an interactive message without a template. Buttons that copy or dial need a template. */
function isTouchable({ type, header, body, action }: any): boolean {
  if (!has(body?.text, type === 'list' ? 4096 : 1024) || (header?.type === 'text' && !has(header.text, 60))) return false
  if (type === 'cta_url') return has(action?.parameters?.display_text, 20) && /^https?:\/\//.test(action.parameters.url)
  if (type === 'button') {
    const all: any[] = action?.buttons ?? []
    return all.length > 0 && all.length <= 3 && all.every(({ reply }) => has(reply?.title, 20) && has(reply?.id, 256))
  }
  if (type !== 'list' || !has(action?.button, 20)) return false
  const sections: any[] = action.sections ?? []
  const rows = sections.flatMap((one) => one.rows)
  const named = sections.length === 1 || sections.every(({ title }) => has(title, 24))
  return named && rows.length > 0 && rows.length <= 10 && rows.every((row) => has(row.title, 24) && (row.description ?? '').length <= 72)
}

/** The WhatsApp Cloud API: the business’s side as calls, and the customers as phones. */
export function whatsapp(world: World, media: MediaHost) {
  const templates = new Map<string, Template[]>()
  const typing: string[] = []
  const read: string[] = []
  /** The ids of customers' messages. Only these can be marked as read. */
  const said = new Set<string>()

  const value = (account: string, what: object) => {
    const { number = '' } = world.accounts.get(account)!
    const metadata = { display_phone_number: number.replace(/\D/g, ''), phone_number_id: account }
    return { messaging_product: 'whatsapp', metadata, ...what }
  }
  const tell = (account: string, ...said: object[]) => {
    const changes = said.map((what) => ({ field: 'messages', value: value(account, what) }))
    world.hooks.tell(object, [{ id: world.accounts.get(account)!.business, changes }])
  }

  async function send(account: string, body: any): Promise<object> {
    if (world.accounts.get(account)!.unregistered) throw new No(133010)
    if (body.status === 'read') {
      if (!said.has(body.message_id)) throw new No(100, undefined, 400, 'Invalid message id')
      if (body.typing_indicator && body.typing_indicator.type !== 'text') throw new No(100)
      read.push(body.message_id)
      if (body.typing_indicator) typing.push(body.message_id)
      return { success: true }
    }
    const to = body.to === undefined ? String(body.recipient) : String(body.to).replace(/\D/g, '')
    const person = [...world.people.values()].find((one) => one.phone === to || one.id === to)
    if (!person || person.unknown) throw new No(131026)
    if (body.type === 'reaction') {
      const on = world.arrived.find(({ id }) => id === body.reaction.message_id)
      if (on) on.reaction = body.reaction.emoji || null
      return answered(person, world.newId('wamid.'))
    }
    if (!kinds.includes(body.type)) throw new No(100)
    if (body.type !== 'template' && world.sinceHeard(account, person.id) > 24 * hour) throw new No(131047)
    if (body.type === 'template') wordsOf(account, body.template)
    const content = body[body.type]
    const header = body.type === 'template' ? headerOf(account, content) : undefined
    if ((content?.body ?? '').length > 4096 || (content?.caption ?? '').length > 1024) throw new No(100)
    if (body.type === 'interactive' && !isTouchable(content)) throw new No(100)
    const file = typeof content?.id === 'string' ? media.files.get(content.id) : undefined
    if (typeof content?.id === 'string' && !file) throw new No(131053)
    const arrived: Arrived = {
      ...{
        id: world.newId('wamid.'),
        account,
        to: person.id,
        type: body.type,
        content: { ...content, ...(file && { bytes: file.content }), ...(header && { file: header }) },
      },
      ...{ body: content?.body ?? content?.caption ?? '', at: world.now(), reaction: null, tag: null },
      quoted: body.context?.message_id ?? null,
    }
    if (body.type === 'template') arrived.body = wordsOf(account, body.template)
    world.arrived.push(arrived)
    arrived.content.callback = body.biz_opaque_callback_data
    status(arrived, 'sent')
    await world.echoesFirst?.()
    return answered(person, arrived.id)
  }
  const answered = ({ id, phone }: Person, message: string) => ({
    messaging_product: 'whatsapp',
    contacts: [{ input: phone ?? id, wa_id: phone, user_id: id }],
    messages: [{ id: message }],
  })
  /** The file of a template's header, which must have the declared type. */
  function headerOf(account: string, asked: any): Buffer | undefined {
    const { business = '' } = world.accounts.get(account)!
    const known = templates.get(business)?.find(({ name }) => name === asked.name)?.components
    const format: string = known?.find(({ type }) => type === 'HEADER')?.format ?? 'TEXT'
    const given = asked.components?.find(({ type }: any) => type === 'header')?.parameters ?? []
    if (format === 'TEXT') return given.some(({ type }: any) => type !== 'text') ? refuse() : undefined
    const [{ type, ...file } = {} as any] = given
    const found = type === format.toLowerCase() ? media.files.get(file[type]?.id) : undefined
    return found?.content ?? refuse()
    function refuse(): never {
      throw new No(132012)
    }
  }
  function wordsOf(account: string, asked: any): string {
    const { business = '' } = world.accounts.get(account)!
    const known = templates.get(business)?.find(({ name, language }) => name === asked.name && language === asked.language?.code)
    if (!known) throw new No(132001)
    if (known.status !== 'APPROVED') throw new No(known.status === 'PAUSED' ? 132015 : known.status === 'DISABLED' ? 132016 : 132001)
    const text: string = known.components.find(({ type }) => type === 'BODY')?.text ?? ''
    const given: any[] = asked.components?.find(({ type }: any) => type === 'body')?.parameters ?? []
    const wanted = new Set(text.match(/\{\{\w+\}\}/g) ?? [])
    if (wanted.size !== given.length) throw new No(132000)
    return [...wanted].reduce((words, hole, i) => words.replaceAll(hole, given[i].text), text)
  }
  function status({ account, id, to, content }: Arrived, mark: string, more: object = {}): void {
    const person = world.people.get(to)!
    const at = String(Math.floor(world.now() / 1000))
    const whose = { recipient_id: person.phone ?? person.id, recipient_user_id: person.id }
    const back = content.callback && { biz_opaque_callback_data: content.callback }
    tell(account, { statuses: [{ id, status: mark, timestamp: at, ...whose, ...back, ...more }] })
  }

  const phone = {
    ...{ typing, read },
    account(business: string, id: string, name: string, number: string, secret?: string): string {
      world.accounts.set(id, { product: 'whatsapp', id, name, number, business })
      return phone.grant(business, secret)
    },
    /** Grants one more token of a business; it expires after `lastsMs`. */
    grant: (business: string, secret?: string, lastsMs: number | null = null) =>
      world.grant(business, ['whatsapp_business_messaging', 'whatsapp_business_management'], lastsMs, secret),
    /** Sets whether the number is registered for sending. */
    registered(id: string, is: boolean, pin?: string): void {
      Object.assign(world.accounts.get(id)!, { unregistered: !is, ...(pin && { pin }) })
    },
    /** Creates a person with a phone. `number` null: known only by a user name. */
    person(name: string, number: string | null): Person {
      const one = { id: `BR.${world.newId('1')}`, name, ...(number !== null && { phone: number }) }
      world.people.set(one.id, one)
      return one
    },
    /** Sends messages of a person by their Graph type and returns the ids. Several messages come in one envelope. */
    says(
      account: string,
      person: Person,
      ...messages: ({ type: string; id?: string; context?: object } & Record<string, any>)[]
    ): string[] {
      world.wrote(account, person.id)
      const timestamp = String(Math.floor(world.now() / 1000))
      const from = { ...(person.phone && { from: person.phone }), from_user_id: person.id }
      const told = messages.map((one) => ({ id: world.newId('wamid.'), ...from, timestamp, ...one }))
      const contacts = [{ profile: { name: person.name }, ...(person.phone && { wa_id: person.phone }), user_id: person.id }]
      for (const { id } of told) said.add(id)
      tell(account, { contacts, messages: told })
      return told.map(({ id }) => id)
    },
    /** The business writes to a person in its own app on a phone. */
    typed(account: string, person: Person, message: { type: string } & Record<string, any>): string {
      const id = world.newId('wamid.')
      const to = { ...(person.phone && { to: person.phone }), to_user_id: person.id }
      const from = world.accounts.get(account)!.number!.replace(/\D/g, '')
      tell(account, { message_echoes: [{ id, from, ...to, timestamp: String(Math.floor(world.now() / 1000)), ...message }] })
      return id
    },
    /**
     * A person moves their account to another number and gets another id; the business is notified. `to`: the new
     * number, or a person who has already written from it.
     */
    moves(account: string, person: Person, to: string | Person): Person {
      const after = typeof to === 'string' ? phone.person(person.name, to) : to
      const system = { body: `User ${person.name} changed number`, wa_id: after.phone, user_id: after.id, type: 'user_changed_number' }
      world.people.delete(person.id)
      const timestamp = String(Math.floor(world.now() / 1000))
      const from = { ...(person.phone && { from: person.phone }), from_user_id: person.id }
      tell(account, { messages: [{ id: world.newId('wamid.'), ...from, timestamp, type: 'system', system }] })
      return after
    },
    text: (account: string, person: Person, body: string, context?: { id: string }) =>
      phone.says(account, person, { type: 'text', text: { body }, ...(context && { context }) })[0]!,
    /** Stores a file of a person for a message. `claims`: a false sha256 for the message. */
    keep(content: Buffer, mime: string, claims?: string) {
      const { id, sha256 } = media.keep(content, mime, 'file', true, claims)
      return { id, mime_type: mime, sha256 }
    },
    mark: (one: Arrived, mark: 'delivered' | 'read' | 'played') => status(one, mark),
    fails: (one: Arrived, code: number) => status(one, 'failed', { errors: [{ code, title: 'said the double' }] }),
    template(business: string, name: string, text: string, more: Partial<Template> = {}): void {
      const one = { name, language: 'pt_BR', status: 'APPROVED', category: 'UTILITY', components: [{ type: 'BODY', text }], ...more }
      templates.set(business, [...(templates.get(business) ?? []), one])
    },
  }

  return {
    phone,
    async answer({ method, path, body, token, query }: Called, _reply: FastifyReply): Promise<unknown> {
      const [id = '', what = ''] = path.split('/')
      const account = world.accounts.get(id)
      const business = [...world.accounts.values()].find((one) => one.business === id)
      if (account?.product !== 'whatsapp' && !business) return undefined
      const owner = world.bearer(token, query.appsecret_proof)
      if (owner.of !== (account?.business ?? id)) throw new No(200, undefined, 403)
      if (business && method === 'GET' && what === 'message_templates') {
        const all = templates.get(id) ?? []
        const from = Number(query.after ?? 0)
        const data = all.slice(from, from + 2).map((one, i) => ({ id: String(from + i + 1), ...one }))
        const more = from + 2 < all.length
        return { data, paging: { cursors: { after: String(from + 2) }, ...(more && { next: 'there is more' }) } }
      }
      if (business && method === 'GET' && what === 'phone_numbers')
        return { data: [...world.accounts.values()].filter((one) => one.business === id).map((one) => ({ id: one.id })) }
      if (business && method === 'POST' && what === 'subscribed_apps') {
        world.subscribed.set(id, [])
        return { success: true }
      }
      if (business && method === 'GET' && what === 'subscribed_apps')
        return { data: world.subscribed.has(id) ? [{ whatsapp_business_api_data: { id: owner.app, name: 'Guichê' } }] : [] }
      if (!account || what === 'media') return undefined
      if (method === 'POST' && what === 'register') {
        if (body?.messaging_product !== 'whatsapp' || !/^\d{6}$/.test(body.pin)) throw new No(100)
        if (account.pin === '999999') throw new No(133016) // asked for too often lately
        if (account.pin !== undefined && account.pin !== body.pin) throw new No(133005)
        Object.assign(account, { unregistered: false, pin: body.pin })
        return { success: true }
      }
      if (method === 'GET' && what === '') {
        const { name, number, unregistered = false } = account
        const stands = unregistered
          ? { status: 'PENDING', platform_type: 'NOT_APPLICABLE' }
          : { status: 'CONNECTED', platform_type: 'CLOUD_API' }
        const known = {
          verified_name: name,
          display_phone_number: number,
          quality_rating: 'GREEN',
          messaging_limit_tier: 'TIER_1K',
          ...stands,
        }
        const asked = (query.fields ?? 'verified_name,display_phone_number').split(',')
        return { id, ...Object.fromEntries(Object.entries(known).filter(([field]) => asked.includes(field))) }
      }
      if (method === 'POST' && what === 'messages') return send(id, body)
      return undefined
    },
  }
}
