import {
  addTransactionCapability,
  type BinaryNode,
  Curve,
  encodeBigEndian,
  encodeWAMessage,
  generateSignalPubKey,
  getBinaryNodeChild,
  getBinaryNodeChildBuffer,
  getBinaryNodeChildUInt,
  initAuthCreds,
  type KeyPair,
  proto,
  type SignalDataSet,
  type SignalDataTypeMap,
  type SignalKeyStore,
  unpadRandomMax16,
  xmppPreKey,
  xmppSignedPreKey,
} from '@whiskeysockets/baileys'
import type { Logger } from 'pino'
import { makeSignal } from '#app/whatsapp/signal.ts'

export const keyType = Buffer.from([5])

/** The keys of a device on WhatsApp’s servers, with which others begin an encrypted session. */
export type KeyBundle = {
  registrationId: number
  identity: Uint8Array
  signedPreKey: { keyId: number; publicKey: Uint8Array; signature: Uint8Array }
  preKey?: { keyId: number; publicKey: Uint8Array } | undefined
}

function memoryKeys(): SignalKeyStore {
  const kept = new Map<string, unknown>()
  return {
    get<T extends keyof SignalDataTypeMap>(type: T, ids: string[]) {
      const found = ids.filter((id) => kept.has(`${type}/${id}`)).map((id) => [id, kept.get(`${type}/${id}`)])
      return Object.fromEntries(found) as { [id: string]: SignalDataTypeMap[T] }
    },
    set(update: SignalDataSet) {
      for (const [type, entries] of Object.entries(update))
        for (const [id, value] of Object.entries(entries ?? {}))
          if (value === null) kept.delete(`${type}/${id}`)
          else kept.set(`${type}/${id}`, value)
    },
  }
}

export type Device = ReturnType<typeof device>
/**
 * A device with end-to-end encryption inside the double: a contact’s phone, or the phone of the account. It shares
 * no state with the client.
 */
export function device(logger: Logger) {
  const creds = initAuthCreds()
  const keys = addTransactionCapability(memoryKeys(), logger, { maxCommitRetries: 2, delayBetweenTriesMs: 10 })
  const signal = makeSignal({ creds, keys }, logger, async () => [])
  let nextPreKey = 1

  return {
    signal,
    identity: creds.signedIdentityKey,
    /** The answer to a request for its keys, with a new one-time key each time. */
    async bundle(): Promise<BinaryNode[]> {
      const id = nextPreKey++
      const pair = Curve.generateKeyPair() as KeyPair
      await keys.set({ 'pre-key': { [id]: pair } })
      return [
        { tag: 'registration', attrs: {}, content: encodeBigEndian(creds.registrationId) },
        { tag: 'type', attrs: {}, content: keyType },
        { tag: 'identity', attrs: {}, content: creds.signedIdentityKey.public },
        xmppSignedPreKey(creds.signedPreKey),
        xmppPreKey(pair, id),
      ]
    },
    async startSession(jid: string, { registrationId, identity, signedPreKey, preKey }: KeyBundle): Promise<void> {
      const session = {
        registrationId,
        identityKey: generateSignalPubKey(identity),
        signedPreKey: { ...signedPreKey, publicKey: generateSignalPubKey(signedPreKey.publicKey) },
        preKey: preKey && { ...preKey, publicKey: generateSignalPubKey(preKey.publicKey) },
      }
      await signal.injectE2ESession({ jid, session: session as never }) // this function needs no one-time key
    },
    hasSession: async (jid: string): Promise<boolean> => (await signal.validateSession(jid)).exists,
    async encrypt(jid: string, message: proto.IMessage): Promise<BinaryNode> {
      const { type, ciphertext } = await signal.encryptMessage({ jid, data: encodeWAMessage(message) })
      return { tag: 'enc', attrs: { v: '2', type }, content: ciphertext }
    },
    async decrypt(jid: string, { attrs, content }: BinaryNode): Promise<proto.Message> {
      const type = attrs.type as 'pkmsg' | 'msg'
      return proto.Message.decode(unpadRandomMax16(await signal.decryptMessage({ jid, type, ciphertext: content as Uint8Array })))
    },
  }
}

const preKeyFrom = (node: BinaryNode) => ({
  keyId: getBinaryNodeChildUInt(node, 'id', 3)!,
  publicKey: getBinaryNodeChildBuffer(node, 'value') as Uint8Array,
})
export const signedPreKeyFrom = (node: BinaryNode): KeyBundle['signedPreKey'] => ({
  ...preKeyFrom(node),
  signature: getBinaryNodeChildBuffer(node, 'signature') as Uint8Array,
})

/** The keys that a client uploads to the server. */
export const uploadFrom = (iq: BinaryNode) => ({
  registrationId: getBinaryNodeChildUInt(iq, 'registration', 4)!,
  identity: getBinaryNodeChildBuffer(iq, 'identity') as Uint8Array,
  signedPreKey: signedPreKeyFrom(getBinaryNodeChild(iq, 'skey')!),
  preKeys: ((getBinaryNodeChild(iq, 'list')?.content as BinaryNode[] | undefined) ?? []).map(preKeyFrom),
})
