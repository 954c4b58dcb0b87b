import {
  aesDecryptGCM,
  aesEncryptGCM,
  Curve,
  generateSignalPubKey,
  hkdf,
  type KeyPair,
  NOISE_MODE,
  proto,
  sha256,
  WA_CERT_DETAILS,
} from '@whiskeysockets/baileys'
import curve from 'libsignal/src/curve.js'

/**
 * Checks a signature. Baileys’ own `Curve.verify` accepts every signature of 64 bytes (7.0.0-rc14), so the double
 * needs its own check.
 */
export const isSigned = (publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean =>
  curve.verifySignature(generateSignalPubKey(publicKey), message, signature)

const nothing: Buffer = Buffer.alloc(0)
const keyPair = () => Curve.generateKeyPair() as KeyPair

/** A certificate chain from a root to a server key, in WhatsApp’s format. */
export function certified(serverKey: Uint8Array): { root: Uint8Array; chain: Uint8Array } {
  const root = keyPair()
  const intermediate = keyPair()
  const { Details } = proto.CertChain.NoiseCertificate
  const signed = (signer: Uint8Array, details: proto.CertChain.NoiseCertificate.IDetails) => {
    const bytes = Details.encode(details).finish()
    return { details: bytes, signature: Curve.sign(signer as Buffer, bytes as Buffer) }
  }
  const chain = proto.CertChain.encode({
    intermediate: signed(root.private, { serial: 1, issuerSerial: WA_CERT_DETAILS.SERIAL, key: intermediate.public }),
    leaf: signed(intermediate.private, { serial: 2, issuerSerial: 1, key: serverKey }),
  })
  return { root: root.public, chain: chain.finish() }
}

function nonce(counter: number): Buffer {
  const bytes = Buffer.alloc(12)
  bytes.writeUInt32BE(counter, 8)
  return bytes
}

export type ServerKeys = { pair: KeyPair; chain: Uint8Array }
export function serverKeys(): ServerKeys {
  const pair = keyPair()
  return { pair, chain: certified(pair.public).chain }
}

export type Noise = ReturnType<typeof noiseServer>
/** The responder of Noise_XX_25519_AESGCM_SHA256, as the client’s handshake expects it. */
export function noiseServer(header: Uint8Array, { pair, chain }: ServerKeys) {
  const ephemeral = keyPair()
  let hash: Buffer = Buffer.from(NOISE_MODE)
  let salt = hash
  let key = hash
  let counter = 0
  let transport: { send: Buffer; receive: Buffer } | null = null
  let sent = 0
  let received = 0

  const mixHash = (data: Uint8Array) => {
    hash = sha256(Buffer.concat([hash, data]))
  }
  const split = (data: Uint8Array) => {
    const out = Buffer.from(hkdf(data, 64, { salt, info: '' }))
    return [out.subarray(0, 32), out.subarray(32)] as const
  }
  const mixKey = (data: Uint8Array) => {
    ;[salt, key] = split(data) as [Buffer, Buffer]
    counter = 0
  }
  const sealed = (plain: Uint8Array) => {
    const out = aesEncryptGCM(plain, key, nonce(counter++), hash)
    mixHash(out)
    return out
  }
  const opened = (cipher: Uint8Array) => {
    const out = aesDecryptGCM(cipher, key, nonce(counter++), hash)
    mixHash(cipher)
    return out
  }
  mixHash(header)

  return {
    /** → e; ← e, ee, s, es */
    hello(frame: Uint8Array): Uint8Array {
      const theirs = proto.HandshakeMessage.decode(frame).clientHello!.ephemeral!
      mixHash(theirs)
      mixHash(ephemeral.public)
      mixKey(Curve.sharedKey(ephemeral.private, theirs))
      const encrypted = sealed(pair.public)
      mixKey(Curve.sharedKey(pair.private, theirs))
      const serverHello = { ephemeral: ephemeral.public, static: encrypted, payload: sealed(chain) }
      return proto.HandshakeMessage.encode({ serverHello }).finish()
    },
    /** → s, se */
    finish(frame: Uint8Array): { clientKey: Buffer; payload: proto.ClientPayload } {
      const { clientFinish } = proto.HandshakeMessage.decode(frame)
      const clientKey = opened(clientFinish!.static!)
      mixKey(Curve.sharedKey(ephemeral.private, clientKey))
      const payload = proto.ClientPayload.decode(opened(clientFinish!.payload!))
      const [receive, send] = split(nothing)
      transport = { send, receive }
      return { clientKey, payload }
    },
    encrypt: (data: Uint8Array) => aesEncryptGCM(data, transport!.send, nonce(sent++), nothing),
    decrypt: (data: Uint8Array) => aesDecryptGCM(data, transport!.receive, nonce(received++), nothing),
  }
}

/** Splits a byte stream into frames, each with its length in three bytes before it. */
export function frameReader(): (chunk: Uint8Array) => Buffer[] {
  let waiting: Buffer = nothing
  return (chunk) => {
    waiting = Buffer.concat([waiting, chunk])
    const frames: Buffer[] = []
    while (waiting.length >= 3) {
      const size = waiting.readUIntBE(0, 3)
      if (waiting.length < size + 3) break
      frames.push(waiting.subarray(3, size + 3))
      waiting = waiting.subarray(size + 3)
    }
    return frames
  }
}

export function framed(data: Uint8Array): Buffer {
  const head = Buffer.alloc(3)
  head.writeUIntBE(data.byteLength, 0, 3)
  return Buffer.concat([head, data])
}
