import { createHash, randomBytes } from 'node:crypto'
import { type BinaryNode, encodeWAMessage, getBinaryNodeChild, proto, unpadRandomMax16 } from '@whiskeysockets/baileys'
import { signedPreKeyFrom, uploadFrom } from './device.ts'
import { encrypted } from './media.ts'
import { sealedFor } from './seal.ts'
import {
  type Companion,
  type Contact,
  children,
  companionsOf,
  ensureSession,
  type Group,
  type How,
  type Named,
  newId,
  node,
  type Phone,
  person,
  type Received,
  type Sent,
  seconds,
  tell,
  typeOf,
  type World,
} from './world.ts'

const { Type } = proto.Message.ProtocolMessage

const certificateOf = (verifiedName: string): BinaryNode => {
  const details = proto.VerifiedNameCertificate.Details.encode({ verifiedName }).finish()
  return node('verified_name', {}, proto.VerifiedNameCertificate.encode({ details }).finish())
}

export function contact(world: World, named: Named): Contact {
  const sent = new Map<string, Sent>()
  const unread = new Set<string>()
  let asks = 0
  const address = () => (self.addressing === 'lid' ? self.lidJid : self.jid)
  const alternate = () => (self.addressing === 'lid' ? self.jid : self.lidJid)

  /** Creates sender keys for a group, and the nodes that give them to its members. */
  async function forGroup(to: Companion, group: Group, message: proto.IMessage): Promise<BinaryNode[]> {
    const asked = { group: group.jid, meId: self.jid, data: encodeWAMessage(message) }
    const { ciphertext, senderKeyDistributionMessage } = await self.device.signal.encryptGroupMessage(asked)
    const key = { groupId: group.jid, axolotlSenderKeyDistributionMessage: senderKeyDistributionMessage }
    const enc = await self.device.encrypt(to.jid, { senderKeyDistributionMessage: key })
    return [enc, node('enc', { v: '2', type: 'skmsg' }, ciphertext)]
  }

  async function deliver(to: Companion, id: string, { retry, corrupt }: { retry?: string; corrupt?: boolean | undefined } = {}) {
    const { message, group, at, how } = sent.get(id)!
    await ensureSession(self, to)
    const side = self.addressing === 'lid' ? 'pn' : 'lid'
    const origin = group
      ? { from: group.jid, participant: address(), ...(!how.alone && { [`participant_${side}`]: alternate() }) }
      : { from: address(), ...(!how.alone && { [`sender_${side}`]: alternate() }) }
    const attrs = {
      id,
      t: seconds(at.getTime()),
      type: typeOf(message),
      addressing_mode: self.addressing,
      ...origin,
      ...(self.name !== '' && { notify: self.name }),
    }
    if (how.wordless !== undefined) {
      const key = { id, remoteJid: group?.jid ?? address(), fromMe: false, ...(group && { participant: address() }) }
      to.phone.alone.set(id, { key, message, messageTimestamp: Number(attrs.t), pushName: self.name })
      tell(to, node('message', attrs, [node('unavailable', how.wordless === '' ? {} : { type: how.wordless })]))
      return
    }
    const encs = group ? await forGroup(to, group, message) : [await self.device.encrypt(to.jid, message)]
    if (retry) for (const enc of encs) enc.attrs.count = retry
    if (corrupt) {
      const last = encs.at(-1)!
      const bytes = Buffer.from(last.content as Uint8Array)
      bytes[bytes.length - 3]! ^= 0xff
      last.content = bytes
    }
    tell(to, node('message', attrs, self.business === null ? encs : [certificateOf(self.business), ...encs]))
  }

  async function opened(from: Companion, encs: BinaryNode[], group: Group | null): Promise<proto.Message> {
    let message = new proto.Message()
    for (const enc of encs) {
      if (enc.attrs.type === 'skmsg') {
        const msg = enc.content as Uint8Array
        const plain = await self.device.signal.decryptGroupMessage({ group: group!.jid, authorJid: from.jid, msg })
        message = proto.Message.decode(unpadRandomMax16(plain))
        continue
      }
      message = await self.device.decrypt(from.jid, enc)
      const item = message.senderKeyDistributionMessage
      if (item) await self.device.signal.processSenderKeyDistributionMessage({ authorJid: from.jid, item })
    }
    return message
  }
  /** Asks for a message again that could not be decrypted, with new keys. Its entry stays and is filled later. */
  async function askAgain(from: Companion, { id, to, group }: Received): Promise<void> {
    const [registration, ...keys] = await self.device.bundle()
    const origin = group ? { from: group, participant: address() } : { from: to }
    const retry = node('retry', { count: '1', id, t: seconds(), v: '1' })
    const asking = node('receipt', { id, type: 'retry', t: seconds(), ...origin }, [retry, registration!, node('keys', {}, keys)])
    tell(from, asking, `receipt:retry:${id}:${++asks}`)
  }

  async function send(to: Phone, plain: proto.IMessage, how: How = {}) {
    const { id = newId('3A'), group, corrupt, at = new Date() } = how
    const message = { ...plain, messageContextInfo: { messageSecret: randomBytes(32), ...plain.messageContextInfo } }
    sent.set(id, { message, group: group ?? null, at, how })
    for (const companion of companionsOf(world, to)) await deliver(companion, id, { corrupt })
    return id
  }
  const protocol = (to: Phone, protocolMessage: proto.Message.IProtocolMessage, id: string) =>
    send(to, { protocolMessage: { ...protocolMessage, key: { id, fromMe: true, remoteJid: to.jid } } })

  const self: Contact = {
    ...person(named, world.log),
    ...{ addressing: 'lid', marks: ['delivery'], markMs: 250, blind: 0, business: null, received: [] },
    send,
    says: (to, text, how) => send(to, { conversation: text }, how),
    async sendFile(to, kind, data, fields = {}, wrapper) {
      const message = { [`${kind}Message`]: { ...(await encrypted(world, kind, data)), ...fields } }
      return send(to, wrapper ? { [wrapper]: { message } } : message)
    },
    async vote(to, poll, options) {
      const selectedOptions = options.map((option) => createHash('sha256').update(option).digest())
      const plain = proto.Message.PollVoteMessage.encode({ selectedOptions }).finish()
      const vote = sealedFor(poll, 'Poll Vote', address(), plain)
      const pollCreationMessageKey = { id: poll.id, remoteJid: to.jid, fromMe: false }
      return send(to, { pollUpdateMessage: { pollCreationMessageKey, vote, senderTimestampMs: Date.now() } })
    },
    react: (to, key, emoji) => send(to, { reactionMessage: { key, text: emoji, senderTimestampMs: Date.now() } }),
    secretOf: (id) => ({ id, secret: sent.get(id)!.message.messageContextInfo!.messageSecret!, by: address() }),
    async edit(to, id, text, how) {
      const protocolMessage = { type: Type.MESSAGE_EDIT, editedMessage: { conversation: text }, timestampMs: Date.now() }
      if (how?.plain) return protocol(to, protocolMessage, id)
      const targetMessageKey = { id, fromMe: true, remoteJid: to.lidJid }
      const plain = proto.Message.encode({ protocolMessage: { ...protocolMessage, key: targetMessageKey } }).finish()
      const box = sealedFor(self.secretOf(id), 'Message Edit', address(), plain)
      return send(to, { secretEncryptedMessage: { targetMessageKey, secretEncType: 2, ...box } })
    },
    revoke: (to, id) => protocol(to, { type: Type.REVOKE }, id),
    mark(to, { id, to: addressed, group }, type, others = []) {
      const from = group ? { from: group, participant: address() } : { from: addressed }
      const attrs = { id, t: seconds(), ...(type !== 'delivery' && { type }), ...from }
      const items = others.map((one) => node('item', { id: one }))
      const list = items.length === 0 ? undefined : [node('list', {}, items)]
      for (const companion of companionsOf(world, to)) tell(companion, node('receipt', attrs, list), `receipt:${type}:${id}`)
    },
    type(to, state = 'composing') {
      for (const { connection } of companionsOf(world, to)) connection?.send(node('chatstate', { from: address() }, [node(state)]))
    },
    call(to) {
      const callId = newId()
      const offer = () => node('offer', { 'call-id': callId, 'call-creator': address(), caller_pn: self.jid }, [node('audio')])
      for (const companion of companionsOf(world, to))
        tell(companion, node('call', { id: newId(), from: address(), t: seconds() }, [offer()]))
      return callId
    },
    async resend(to, receipt) {
      const id = receipt.attrs.id!
      if (!sent.has(id)) return
      const keys = getBinaryNodeChild(receipt, 'keys')
      if (keys) {
        const upload = uploadFrom(node('iq', {}, [getBinaryNodeChild(receipt, 'registration')!, ...children(keys)]))
        const key = getBinaryNodeChild(keys, 'key')
        await self.device.startSession(to.jid, { ...upload, preKey: key && signedPreKeyFrom(key) })
      } else await ensureSession(self, to, true)
      await deliver(to, id, { retry: getBinaryNodeChild(receipt, 'retry')?.attrs.count ?? '1' })
    },
    async receive(from, stanza, encs, group) {
      const id = stanza.attrs.id!
      const known = self.received.find((one) => one.id === id)
      const one = known ?? { id, from: from.jid, to: stanza.attrs.to!, message: {}, group: group?.jid ?? null }
      if (!known) self.received.push(one)
      else if (!unread.has(id)) return // a repeated id is shown once
      try {
        if (self.blind-- > 0) throw new Error('undecryptable by the test')
        one.message = await opened(from, encs, group)
        unread.delete(id)
      } catch {
        unread.add(id)
        return askAgain(from, one)
      }
      world.events.emit('arrived', self)
      for (const [i, type] of self.marks.entries()) setTimeout(() => self.mark(from.phone, one, type), self.markMs * (i + 1)).unref()
    },
  }
  return self
}
