import {
  type BinaryNode,
  encodeBigEndian,
  getBinaryNodeChild,
  getBinaryNodeChildren,
  jidDecode,
  S_WHATSAPP_NET,
} from '@whiskeysockets/baileys'
import { keyType, signedPreKeyFrom, uploadFrom } from './device.ts'
import {
  type Companion,
  type Connection,
  children,
  companionAt,
  companionsOf,
  type Group,
  node,
  type Ordered,
  personAt,
  seconds,
  type World,
} from './world.ts'

type Asked = { world: World; connection: Connection; companion: Companion; iq: BinaryNode; child: BinaryNode | undefined }
/** The content of an answer, undefined if it has none, or a number for an error. */
type Answer = (asked: Asked) => BinaryNode[] | undefined | number | Promise<BinaryNode[] | undefined>
const nothing: Answer = () => undefined

/** By namespace, type and tag of the query. */
const answers: Record<string, Answer> = {
  'w:p get ping': nothing,
  'w:p get': nothing,
  'urn:xmpp:whatsapp:dirty set clean': nothing,
  'w:stats add': nothing,
  'w:stats  add': nothing,
  'passive set active': nothing,
  'passive set passive': nothing,
  'privacy set privacy': nothing,
  'privacy set tokens': nothing,
  'encrypt get count': ({ companion }) => [node('count', { value: String(companion.preKeys.length) })],
  'encrypt get digest': ({ companion }) => [node('digest', {}, [node('type', {}, keyType), node('identity', {}, companion.identity)])],
  'encrypt set registration'({ companion, iq }) {
    const { preKeys, ...upload } = uploadFrom(iq)
    Object.assign(companion, upload)
    companion.preKeys.push(...preKeys)
    return undefined
  },
  'encrypt set rotate'({ companion, child }) {
    companion.signedPreKey = signedPreKeyFrom(getBinaryNodeChild(child, 'skey')!)
    return undefined
  },
  'encrypt get key': async ({ world, child }) => [
    node('list', {}, await Promise.all(getBinaryNodeChildren(child, 'user').map(({ attrs }) => bundle(world, attrs.jid!)))),
  ],
  'usync get usync': ({ world, child }) => [usync(world, child!)],
  'abt get props': () => [node('props', { hash: 'double', refresh: '86400' }, [])],
  'blocklist get': ({ companion }) => [
    node(
      'list',
      {},
      [...companion.phone.blocked].map((jid) => node('item', { jid })),
    ),
  ],
  'blocklist set item'({ companion: { phone }, child }) {
    const { action, jid } = child!.attrs
    phone.blocked[action === 'block' ? 'add' : 'delete'](jid!)
    return undefined
  },
  'privacy get privacy': () => [
    node(
      'privacy',
      {},
      ['readreceipts', 'last', 'profile', 'status', 'online', 'groupadd'].map((name) => node('category', { name, value: 'all' })),
    ),
  ],
  'w:sync:app:state set sync': ({ companion, child }) => [node('sync', {}, children(child).map(companion.phone.collection))],
  'w:profile:picture get picture'({ world, iq }) {
    const url = personAt(world, iq.attrs.target!)?.pictureUrl
    return url ? [node('picture', { url, id: '1', type: 'image' })] : 404
  },
  'w:biz get business_profile': () => [node('business_profile')],
  'w:m set media_conn': ({ world }) => [
    node('media_conn', { auth: 'double', ttl: '3600', auth_ttl: '3600', max_buckets: '12' }, [node('host', { hostname: world.mediaHost })]),
  ],
  'w:g2 get query'({ world, iq }) {
    const group = world.groups.find(({ jid }) => jid === iq.attrs.to)
    return group ? [groupNode(group)] : 404
  },
  'w:g2 get participating': ({ world, companion: { phone } }) => [
    node('groups', {}, world.groups.filter(({ phones }) => phones.includes(phone)).map(groupNode)),
  ],
  'md set link_code_companion_reg'({ connection, child }) {
    if (child!.attrs.stage === 'companion_hello') {
      const named = textOf(getBinaryNodeChild(child, 'companion_platform_display'))
      if (!/^(Chrome|Edge|Firefox|Opera|Safari) \((Windows|Mac OS|Ubuntu|Linux|Android)\)$/.test(named)) return 400
      const wrapped = getBinaryNodeChild(child, 'link_code_pairing_wrapped_companion_ephemeral_pub')!.content as Uint8Array
      connection.linkCode = { jid: child!.attrs.jid!, wrapped }
      return [node('link_code_companion_reg', { stage: 'companion_hello' }, [node('link_code_pairing_ref', {}, Buffer.from('ref'))])]
    }
    connection.onLinkCode?.(child!)
    return undefined
  },
  'fb:thrift_iq get order'({ world, child }) {
    const order = world.orders.get(child!.attrs.id!)
    if (order?.token !== textOf(getBinaryNodeChild(child, 'token'))) return 404
    return [orderNode(order)]
  },
  'md set remove-companion-device'({ companion }) {
    setImmediate(() => companion.phone.unlink(companion))
    return undefined
  },
}

/** The answer to a client's query. An unknown query is recorded and answered as unknown. */
export async function answered(world: World, connection: Connection, iq: BinaryNode): Promise<BinaryNode> {
  const { xmlns, type = '', id } = iq.attrs
  const [child] = children(iq)
  const what = `${xmlns} ${type} ${child?.tag ?? ''}`.trim()
  world.asked.push(what)
  const answer = answers[what]
  if (!answer) world.unhandled.push(iq)
  const content = answer ? await answer({ world, connection, companion: connection.companion!, iq, child }) : 501
  if (typeof content !== 'number') return node('iq', { id: id!, type: 'result', from: iq.attrs.to ?? S_WHATSAPP_NET }, content)
  const text = content === 404 ? 'item-not-found' : 'feature-not-implemented'
  return node('iq', { id: id!, type: 'error', from: S_WHATSAPP_NET }, [node('error', { code: String(content), text })])
}

function groupNode({ jid, subject, since, phones, contacts }: Group): BinaryNode {
  const people = [...phones, ...contacts]
  const attrs = {
    ...{ id: jidDecode(jid)!.user, subject, creation: '1700000000', creator: people[0]!.lidJid, creator_pn: people[0]!.jid },
    ...{ s_t: since, addressing_mode: 'lid', size: String(people.length) },
  }
  const participant = ({ lidJid, jid }: (typeof people)[number], i: number) =>
    node('participant', { jid: lidJid, phone_number: jid, ...(i === 0 && { type: 'superadmin' }) })
  return node('group', attrs, people.map(participant))
}

async function bundle(world: World, jid: string): Promise<BinaryNode> {
  const owner = personAt(world, jid)
  if (owner && !jidDecode(jid)?.device) return node('user', { jid }, await owner.device.bundle())
  const companion = companionAt(world, jid)
  if (!companion) return node('user', { jid }, [node('error', { code: '404', text: 'item-not-found' })])
  const key = ({ keyId, publicKey }: { keyId: number; publicKey: Uint8Array }) => [
    node('id', {}, encodeBigEndian(keyId, 3)),
    node('value', {}, publicKey),
  ]
  const once = companion.preKeys.shift()
  return node('user', { jid }, [
    node('registration', {}, encodeBigEndian(companion.registrationId)),
    node('type', {}, keyType),
    node('identity', {}, companion.identity),
    node('skey', {}, [...key(companion.signedPreKey), node('signature', {}, companion.signedPreKey.signature)]),
    ...(once ? [node('key', {}, key(once))] : []),
  ])
}

function orderNode({ currency, products }: Ordered): BinaryNode {
  const text = (tag: string, value: string | number) => node(tag, {}, Buffer.from(String(value)))
  const total = products.reduce((sum, { price, quantity }) => sum + price * quantity, 0)
  return node('order', {}, [
    ...products.map(({ name, quantity, price }, i) =>
      node('product', {}, [
        text('id', i),
        text('name', name),
        node('image', {}, [text('url', 'https://mmg.whatsapp.net/none')]),
        text('price', price),
        text('currency', currency),
        text('quantity', quantity),
      ]),
    ),
    node('price', {}, [text('total', total), text('currency', currency)]),
  ])
}

const textOf = (node?: BinaryNode) => Buffer.from((node?.content as Uint8Array | string | undefined) ?? '').toString()

/** Tells which numbers are on WhatsApp, with their devices and lids. */
function usync(world: World, asked: BinaryNode): BinaryNode {
  const protocols = children(getBinaryNodeChild(asked, 'query')).map(({ tag }) => tag)
  const users = getBinaryNodeChildren(getBinaryNodeChild(asked, 'list'), 'user').map((user) => {
    const number = textOf(getBinaryNodeChild(user, 'contact')).replace(/\D/g, '')
    const jid = user.attrs.jid ?? `${number}@s.whatsapp.net`
    const owner = personAt(world, jid)
    const there = owner?.onWhatsApp ? owner : undefined
    const linked = there && 'scan' in there ? companionsOf(world, there) : []
    const devices = [
      ...(there ? [node('device', { id: '0' })] : []),
      ...linked.map(({ deviceId }) => node('device', { id: String(deviceId), 'key-index': String(deviceId) })),
    ]
    const content: Record<string, BinaryNode | undefined> = {
      contact: node('contact', { type: there ? 'in' : 'out' }),
      devices: node('devices', {}, [node('device-list', {}, devices)]),
      lid: there && node('lid', { val: there.lidJid }),
      status: node('status', { t: seconds() }, Buffer.from('')),
    }
    return node(
      'user',
      { jid },
      protocols.flatMap((protocol) => content[protocol] ?? []),
    )
  })
  const { sid, mode, context } = asked.attrs
  return node('usync', { sid: sid!, index: '0', last: 'true', mode: mode!, context: context! }, [
    node(
      'result',
      {},
      protocols.map((protocol) => node(protocol)),
    ),
    node('list', {}, users),
  ])
}
