import { randomBytes } from 'node:crypto'
import {
  type BinaryNode,
  decodeBinaryNode,
  encodeBinaryNode,
  getBinaryNodeChild,
  getBinaryNodeChildren,
  jidDecode,
  NOISE_WA_HEADER,
  type proto,
  S_WHATSAPP_NET,
} from '@whiskeysockets/baileys'
import type { WebSocket } from 'ws'
import { framed, frameReader, type Noise, noiseServer, type ServerKeys } from './noise.ts'
import { answered } from './queries.ts'
import { type Companion, type Connection, children, companionAt, newId, node, personAt, seconds, tell, type World } from './world.ts'

export function connected(world: World, socket: WebSocket, keys: ServerKeys, via: string): void {
  const frames = frameReader()
  const replies = new Map<string, (answer: BinaryNode) => void>()
  let noise: Noise | null = null
  let stage: 'intro' | 'hello' | 'finish' | 'open' = 'intro'
  let chain: Promise<void> = Promise.resolve() // processes frames in order, even if one has to wait

  const self: Connection = {
    ...{
      via,
      version: '',
      refs: [],
      registration: null,
      clientKey: null,
      companion: null,
      linkCode: null,
      onLinkCode: null,
      active: false,
    },
    send(stanza) {
      if (socket.readyState === socket.OPEN && !world.silent) socket.send(framed(noise!.encrypt(encodeBinaryNode(stanza))))
    },
    query(stanza) {
      const { promise, resolve } = Promise.withResolvers<BinaryNode>()
      const id = newId()
      replies.set(id, resolve)
      self.send({ ...stanza, attrs: { ...stanza.attrs, id } })
      return promise
    },
    fail(attrs, content) {
      self.send(node('stream:error', attrs, content))
      socket.close()
    },
    drop: () => socket.terminate(),
  }
  world.connections.add(self)

  socket.on('message', (data: Buffer) => {
    let bytes = data
    if (stage === 'intro') {
      stage = 'hello'
      if (bytes.toString('latin1', 0, 2) === 'ED') bytes = bytes.subarray(7 + bytes.readUIntBE(4, 3))
      noise = noiseServer(bytes.subarray(0, NOISE_WA_HEADER.length), keys)
      bytes = bytes.subarray(NOISE_WA_HEADER.length)
    }
    for (const frame of frames(bytes))
      chain = chain
        .then(() => onFrame(frame))
        .catch((error: Error) => void world.unhandled.push(node('error', { message: String(error.stack) })))
  })
  socket.on('close', () => {
    world.connections.delete(self)
    if (self.companion?.connection === self) self.companion.connection = null
  })
  socket.on('error', () => undefined)

  async function onFrame(bytes: Buffer): Promise<void> {
    if (stage === 'hello') {
      stage = 'finish'
      socket.send(framed(noise!.hello(bytes)))
    } else if (stage === 'finish') {
      stage = 'open'
      const { clientKey, payload } = noise!.finish(bytes)
      self.clientKey = clientKey
      const { primary, secondary, tertiary } = payload.userAgent?.appVersion ?? {}
      self.version = [primary, secondary, tertiary].join('.')
      if ((tertiary ?? 0) < world.revision) return refused('405')
      if (payload.devicePairingData) offerPairing(payload.devicePairingData)
      else login(payload)
    } else await onStanza(await decodeBinaryNode(noise!.decrypt(bytes)))
  }

  function offerPairing(registration: proto.ClientPayload.IDevicePairingRegistrationData): void {
    self.registration = registration
    self.refs = Array.from({ length: 6 }, () => `2@${randomBytes(24).toString('base64')}`)
    const refs = self.refs.map((ref) => node('ref', {}, Buffer.from(ref)))
    self.send(node('iq', { from: S_WHATSAPP_NET, type: 'set', id: newId(), xmlns: 'md' }, [node('pair-device', {}, refs)]))
  }

  function refused(reason: string): void {
    self.send(node('failure', { reason, location: 'odn' }))
    socket.close()
  }

  function login({ username, device, webInfo }: proto.ClientPayload): void {
    const companion = world.companions.find(
      ({ phone, deviceId, noiseKey }) => phone.pn === String(username) && deviceId === device && noiseKey.equals(self.clientKey!),
    )
    const why = companion ? companion.phone.refused : '401'
    if (!companion || why !== null) {
      refused(why!)
      return
    }
    if (companion.connection) world.replaced++
    companion.connection?.fail({}, [node('conflict', { type: 'replaced' })])
    companion.connection = self
    companion.application = (webInfo?.webSubPlatform ?? 0) !== 0
    self.companion = companion
    self.send(node('success', { t: seconds(), lid: companion.lidJid, creation: '1700000000', location: 'odn', props: '1' }))
  }

  async function onStanza(stanza: BinaryNode): Promise<void> {
    const { tag, attrs } = stanza
    const from = self.companion
    if (tag === 'iq' && (attrs.type === 'result' || attrs.type === 'error')) replies.get(attrs.id!)?.(stanza)
    else if (tag === 'iq') {
      const answer = await answered(world, self, stanza)
      if (answer) self.send(answer)
      if (attrs.xmlns === 'passive' && getBinaryNodeChild(stanza, 'active')) await activate(from!)
    } else if (!from || tag === 'ib') return
    else if (tag === 'message') await onMessage(from, stanza)
    else if (tag === 'receipt') await onReceipt(from, stanza)
    else if (tag === 'ack') {
      const receipt = `receipt:${attrs.type ?? 'delivery'}:${attrs.id}`
      for (const [key, waits] of from.pending) {
        if (waits.tag !== attrs.class || (key !== attrs.id && key !== receipt && !key.startsWith(`${receipt}:`))) continue
        const another = attrs.error && children(waits).some((enc) => enc.attrs.count) // the message was sent once more since, and the error was for the first one
        if (another) continue
        from.pending.delete(key)
        break
      }
    } else if (tag === 'chatstate') {
      const [child] = children(stanza)
      const state = child!.attrs.media === 'audio' ? 'recording' : child!.tag
      world.events.emit('chatstate', { from, to: attrs.to!, state })
    } else if (tag === 'presence') world.events.emit('presence', { from, stanza })
    else if (tag === 'call') {
      world.events.emit('call', { from, stanza })
      self.send(node('ack', { class: 'call', id: attrs.id!, from: attrs.to! }))
    } else world.unhandled.push(stanza)
  }

  /** Resends the missed stanzas, and then reports their count. */
  async function activate(companion: Companion): Promise<void> {
    const missed = [...companion.pending.values()]
    for (const stanza of missed) self.send({ ...stanza, attrs: { ...stanza.attrs, offline: '1' } })
    self.active = true
    self.send(node('ib', { from: S_WHATSAPP_NET }, [node('offline', { count: String(missed.length) })]))
    if (!companion.greeted) await companion.phone.greet(companion)
    world.events.emit('online', companion)
  }

  async function onReceipt(from: Companion, stanza: BinaryNode): Promise<void> {
    const { attrs } = stanza
    self.send(node('ack', { class: 'receipt', id: attrs.id!, from: attrs.to!, ...(attrs.type && { type: attrs.type }) }))
    const more = getBinaryNodeChildren(getBinaryNodeChild(stanza, 'list'), 'item').map((item) => item.attrs.id!)
    for (const id of [attrs.id!, ...more]) from.pending.delete(id)
    world.events.emit('receipt', { from, stanza })
    if (attrs.type === 'server-error') await from.phone.bringsAgain(from, stanza)
    if (attrs.type !== 'retry') return
    const author = personAt(world, attrs.participant ?? attrs.to!)
    if (author && 'resend' in author) await author.resend(from, stanza)
  }

  async function onMessage(from: Companion, stanza: BinaryNode): Promise<void> {
    if (world.lose > 0) {
      world.lose--
      return
    }
    const { id, to } = stanza.attrs as { id: string; to: string }
    const error = world.failNext
    world.failNext = null
    const ack = node('ack', { class: 'message', id, from: to, t: seconds(), ...(error !== null && { error }) })
    if (!world.holdAcks) self.send(ack)
    if (error !== null) return
    const direct = getBinaryNodeChildren(stanza, 'enc')
    const group = world.groups.find(({ jid }) => jid === to) ?? null
    const targets = new Map<ReturnType<typeof personAt>, BinaryNode[]>()
    const listed = getBinaryNodeChildren(getBinaryNodeChild(stanza, 'participants'), 'to')
    for (const target of listed) {
      const jid = target.attrs.jid!
      const linked = companionAt(world, jid)
      if (!jidDecode(jid)?.device) targets.set(personAt(world, jid), children(target))
      else if (linked && linked !== from) {
        const attrs = { id, from: from.jid, recipient: to, t: seconds(), type: stanza.attrs.type ?? 'text' }
        tell(linked, node('message', attrs, children(target)))
      }
    }
    if (group) for (const one of group.contacts) targets.set(one, [...(targets.get(one) ?? []), ...direct])
    else if (listed.length === 0) targets.set(personAt(world, to), direct)
    world.events.emit('message', { from, stanza })
    for (const [who, encs] of targets)
      if (who && 'resend' in who) await who.receive(from, stanza, encs, group)
      else if (who && encs.some(({ attrs }) => attrs.type !== 'skmsg')) await who.receive(from, encs)
  }
}
