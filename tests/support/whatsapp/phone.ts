import { randomBytes } from 'node:crypto'
import { deflateSync } from 'node:zlib'
import {
  aesEncryptGCM,
  assertMediaContent,
  type BinaryNode,
  encodeSyncdPatch,
  getBinaryNodeChild,
  hkdf,
  type LTHashState,
  newLTHashState,
  proto,
} from '@whiskeysockets/baileys'
import { scanned, typed } from './pairing.ts'
import {
  type Companion,
  companionsOf,
  ensureSession,
  type Named,
  newId,
  node,
  type Phone,
  person,
  seconds,
  tell,
  typeOf,
  type World,
} from './world.ts'

type Collection = { state: LTHashState; patches: Uint8Array[] }
const { Type } = proto.Message.ProtocolMessage
const { HistorySyncType: Parts } = proto.HistorySync

/** A patch as the server sends it to the other devices. */
const numbered = (patch: proto.ISyncdPatch, version: number) => proto.SyncdPatch.encode({ ...patch, version: { version } }).finish()

export function phone(world: World, named: Named): Phone {
  const collections = new Map<string, Collection>()
  const keyId = Buffer.concat([Buffer.from([0, 1]), randomBytes(4)])
  const keyData = proto.Message.AppStateSyncKeyData.create({
    ...{ keyData: randomBytes(32), fingerprint: { rawId: 1, currentIndex: 1, deviceIndexes: [0, 1] }, timestamp: Date.now() },
  })
  let devices = 0

  function collectionOf(name: string): Collection {
    const found = collections.get(name) ?? { state: newLTHashState(), patches: [] }
    collections.set(name, found)
    return found
  }
  async function peer(companion: Companion, protocolMessage: proto.Message.IProtocolMessage): Promise<void> {
    await ensureSession(self, companion)
    const enc = await self.device.encrypt(companion.jid, { protocolMessage })
    tell(companion, node('message', { id: newId(), from: self.jid, t: seconds(), type: 'protocol', category: 'peer' }, [enc]))
  }
  async function resend(to: Companion, id: string): Promise<void> {
    const one = self.alone.get(id)
    if (!one) return
    const webMessageInfoBytes = proto.WebMessageInfo.encode(proto.WebMessageInfo.create(one)).finish()
    const peerDataOperationResult = [{ placeholderMessageResendResponse: { webMessageInfoBytes } }]
    const answer = { peerDataOperationRequestType: 4, stanzaId: id, peerDataOperationResult }
    await peer(to, { type: Type.PEER_DATA_OPERATION_REQUEST_RESPONSE_MESSAGE, peerDataOperationRequestResponseMessage: answer })
  }

  const self: Phone = {
    ...person(named, world.log),
    mirrored: [],
    alone: new Map(),
    blocked: new Set(),
    refused: null,
    history: { syncType: Parts.INITIAL_BOOTSTRAP, conversations: [] },
    longAgo: { syncType: Parts.FULL, conversations: [] },
    scan: (qr) => scanned(world, self, ++devices, qr),
    enterCode: (code) => typed(world, self, ++devices, code),
    unlink(companion) {
      world.companions.splice(world.companions.indexOf(companion), 1)
      companion.connection?.fail({ code: '401' }, [node('conflict', { type: 'device_removed' })])
    },
    async greet(companion) {
      companion.greeted = true
      const keys = [{ keyId: { keyId }, keyData }]
      await peer(companion, { type: Type.APP_STATE_SYNC_KEY_SHARE, appStateSyncKeyShare: { keys } })
      const { requireFullSync, platformType } = companion.props
      const desktop = requireFullSync === true && platformType === proto.DeviceProps.PlatformType.DESKTOP && companion.application
      for (const part of desktop && self.longAgo.conversations!.length > 0 ? [self.history, self.longAgo] : [self.history]) {
        const payload = deflateSync(proto.HistorySync.encode(part).finish())
        const told = { syncType: part.syncType as number, chunkOrder: 1, progress: 100, initialHistBootstrapInlinePayload: payload }
        await peer(companion, { type: Type.HISTORY_SYNC_NOTIFICATION, historySyncNotification: told })
      }
    },
    async bringsAgain(companion, { attrs: { id }, ...asked }) {
      const all = [self.history, self.longAgo].flatMap((part) => part.conversations!.flatMap((chat) => chat.messages ?? []))
      const said = all.find(({ message }) => message?.key?.id === id)?.message?.message
      const rmr = getBinaryNodeChild(asked as BinaryNode, 'rmr')!
      const answer = (child: BinaryNode) =>
        tell(companion, node('notification', { id: id!, from: self.jid, type: 'mediaretry', t: seconds() }, [child, rmr]))
      const file = said && assertMediaContent(said)
      const bytes = file && world.media.get(file.directPath!)
      if (!bytes) return answer(node('error', { code: '2' }))
      const directPath = `/v/${newId()}.enc`
      world.media.set(directPath, bytes)
      const { SUCCESS } = proto.MediaRetryNotification.ResultType
      const plain = proto.MediaRetryNotification.encode({ stanzaId: id!, directPath, result: SUCCESS }).finish()
      const key = hkdf(file.mediaKey!, 32, { info: 'WhatsApp Media Retry Notification' })
      const iv = randomBytes(12)
      const sealed = aesEncryptGCM(plain, key, iv, Buffer.from(id!))
      answer(node('encrypt', {}, [node('enc_p', {}, sealed), node('enc_iv', {}, iv)]))
    },
    async says(to, message, recipient = to.jid) {
      const id = newId('3A')
      const attrs = { id, from: self.jid, recipient, t: seconds(), type: typeOf(message), notify: self.name }
      for (const companion of companionsOf(world, self)) {
        await ensureSession(self, companion)
        const enc = await self.device.encrypt(companion.jid, { deviceSentMessage: { destinationJid: recipient, message } })
        tell(companion, node('message', attrs, [enc]))
      }
      return id
    },
    async receive(from, encs) {
      for (const enc of encs)
        try {
          const told = await self.device.decrypt(from.jid, enc)
          self.mirrored.push(told)
          const { protocolMessage } = told.deviceSentMessage?.message ?? told
          const asked = protocolMessage?.peerDataOperationRequestMessage?.placeholderMessageResendRequest ?? []
          for (const { messageKey } of asked) await resend(from, messageKey?.id ?? '')
        } catch {} // a copy that cannot be decrypted is ignored
    },
    async patch(patch) {
      const collection = collectionOf(patch.type)
      const made = await encodeSyncdPatch(patch, keyId.toString('base64'), collection.state, async () => keyData)
      collection.state = made.state
      collection.patches.push(numbered(made.patch, collection.patches.length + 1))
      const changed = node('collection', { name: patch.type, version: String(collection.patches.length) })
      for (const companion of companionsOf(world, self))
        tell(companion, node('notification', { id: newId(), from: self.jid, type: 'server_sync', t: seconds() }, [changed]))
    },
    collection(asked) {
      const { name, version } = asked.attrs as { name: string; version: string }
      const { patches } = collectionOf(name)
      const brought = getBinaryNodeChild(asked, 'patch')
      if (brought) {
        patches.push(numbered(proto.SyncdPatch.decode(brought.content as Uint8Array), patches.length + 1))
        return node('collection', { name, version: String(patches.length), type: 'result' })
      }
      const missing = patches.slice(Number(version)).map((patch) => node('patch', {}, patch))
      const attrs = { name, version: String(patches.length), has_more_patches: 'false' }
      return node('collection', attrs, missing.length > 0 ? [node('patches', {}, missing)] : undefined)
    },
  }
  return self
}
