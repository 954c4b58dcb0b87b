import { createHmac, randomBytes } from 'node:crypto'
import {
  aesDecryptCTR,
  aesDecryptGCM,
  aesEncryptCTR,
  type BinaryNode,
  Curve,
  derivePairingCodeKey,
  getBinaryNodeChild,
  hkdf,
  type KeyPair,
  proto,
  S_WHATSAPP_NET,
  WA_ADV_ACCOUNT_SIG_PREFIX,
  WA_ADV_DEVICE_SIG_PREFIX,
} from '@whiskeysockets/baileys'
import { isSigned } from './noise.ts'
import { type Companion, type Connection, newId, node, type Phone, seconds, type World } from './world.ts'

/** Links a device by its QR code, as the phone's camera would. */
export async function scanned(world: World, phone: Phone, deviceId: number, qr: string): Promise<Companion> {
  const [ref, noiseKey, identityKey, advSecret] = qr.slice(qr.indexOf('#') + 1).split(',')
  const connection = [...world.connections].find(({ refs }) => refs.includes(ref!))
  if (!connection) throw new Error('The code has expired: no connection has it')
  if (connection.clientKey!.toString('base64') !== noiseKey) throw new Error('The code has another noise key')
  if (Buffer.from(connection.registration!.eIdent!).toString('base64') !== identityKey) throw new Error('The code has another identity')
  return pair(world, phone, deviceId, connection, Buffer.from(advSecret!, 'base64'))
}

/** Links a device by the eight characters that a person types into the phone. */
export async function typed(world: World, phone: Phone, deviceId: number, code: string): Promise<Companion> {
  const connection = [...world.connections].find(({ linkCode }) => linkCode?.jid === phone.jid)
  if (!connection) throw new Error('No client requested a code for this number')
  const wrapped = Buffer.from(connection.linkCode!.wrapped)
  const unwrapKey = await derivePairingCodeKey(code, wrapped.subarray(0, 32))
  const theirs = aesDecryptCTR(wrapped.subarray(48, 80), unwrapKey, wrapped.subarray(32, 48))
  const ours = Curve.generateKeyPair() as KeyPair
  const [salt, iv] = [randomBytes(32), randomBytes(16)]
  const wrappedKey = aesEncryptCTR(ours.public, await derivePairingCodeKey(code, salt), iv)
  const { promise: finished, resolve } = Promise.withResolvers<BinaryNode>()
  connection.onLinkCode = resolve
  const stage = node('link_code_companion_reg', { stage: 'primary_hello' }, [
    node('link_code_pairing_ref', {}, Buffer.from('ref')),
    node('primary_identity_pub', {}, phone.device.identity.public),
    node('link_code_pairing_wrapped_primary_ephemeral_pub', {}, Buffer.concat([salt, iv, wrappedKey])),
  ])
  const attrs = { id: newId(), from: S_WHATSAPP_NET, type: 'link_code_companion_reg', t: seconds() }
  connection.send(node('notification', attrs, [stage]))
  const bundle = Buffer.from(getBinaryNodeChild(await finished, 'link_code_pairing_wrapped_key_bundle')!.content as Uint8Array)
  const shared = Curve.sharedKey(ours.private, theirs)
  const info = 'link_code_pairing_key_bundle_encryption_key'
  const key = Buffer.from(hkdf(shared, 32, { salt: bundle.subarray(0, 32), info }))
  const plain = aesDecryptGCM(bundle.subarray(44), key, bundle.subarray(32, 44), Buffer.alloc(0)) // throws if the code was another one
  const identity = Curve.sharedKey(phone.device.identity.private, plain.subarray(0, 32))
  const secret = hkdf(Buffer.concat([shared, identity, plain.subarray(64, 96)]), 32, { info: 'adv_secret' })
  return pair(world, phone, deviceId, connection, Buffer.from(secret))
}

async function pair(world: World, phone: Phone, deviceId: number, connection: Connection, advSecret: Buffer): Promise<Companion> {
  const pairing = connection.registration!
  const account = phone.device.identity
  const deviceDetails = proto.ADVDeviceIdentity.encode({
    ...{ rawId: randomBytes(4).readUInt32BE(), timestamp: Math.floor(Date.now() / 1000), keyIndex: deviceId },
  }).finish()
  const signature = Curve.sign(account.private, Buffer.concat([WA_ADV_ACCOUNT_SIG_PREFIX, deviceDetails, pairing.eIdent!]))
  const details = proto.ADVSignedDeviceIdentity.encode({
    ...{ details: deviceDetails, accountSignatureKey: account.public, accountSignature: signature },
  }).finish()
  const hmac = createHmac('sha256', advSecret).update(details).digest()
  const companion: Companion = {
    ...{ phone, deviceId, jid: `${phone.pn}:${deviceId}@s.whatsapp.net`, lidJid: `${phone.lid}:${deviceId}@lid` },
    ...{ noiseKey: connection.clientKey!, identity: pairing.eIdent!, registrationId: Buffer.from(pairing.eRegid!).readUInt32BE() },
    signedPreKey: {
      ...{ keyId: Buffer.from(pairing.eSkeyId!).readUIntBE(0, 3), publicKey: pairing.eSkeyVal!, signature: pairing.eSkeySig! },
    },
    ...{ preKeys: [], connection: null, pending: new Map(), greeted: false, application: false },
    props: proto.DeviceProps.decode(pairing.deviceProps!),
  }
  const success = node('pair-success', {}, [
    node('device-identity', {}, proto.ADVSignedDeviceIdentityHMAC.encode({ details, hmac }).finish()),
    node('biz', { name: phone.name }),
    node('platform', { name: 'android' }),
    node('device', { jid: companion.jid, lid: companion.lidJid }),
  ])
  const reply = await connection.query(node('iq', { from: S_WHATSAPP_NET, type: 'set', xmlns: 'md' }, [success]))
  const signed = getBinaryNodeChild(getBinaryNodeChild(reply, 'pair-device-sign'), 'device-identity')
  const { deviceSignature } = proto.ADVSignedDeviceIdentity.decode(signed!.content as Uint8Array)
  const claim = Buffer.concat([WA_ADV_DEVICE_SIG_PREFIX, deviceDetails, companion.identity, account.public])
  if (!isSigned(companion.identity, claim, deviceSignature!)) throw new Error('The client did not prove its identity')
  world.companions.push(companion)
  connection.fail({ code: '515' })
  return companion
}
