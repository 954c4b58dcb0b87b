/**
 * A text or file that one user can open: encrypted with its own key, which is derived from that user's public key
 * and `from`.
 */
export type Sealed = { from: JsonWebKey; iv: Uint8Array<ArrayBuffer>; data: ArrayBuffer }

const curve = { name: 'ECDH', namedCurve: 'P-256' } as const
const fromBase64 = (text: string) => Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (one) => one.charCodeAt(0))
const toBase64 = (bytes: ArrayBuffer | Uint8Array) =>
  btoa(Array.from(new Uint8Array(bytes as ArrayBuffer), (one) => String.fromCharCode(one)).join(''))
const freshIv = () => crypto.getRandomValues(new Uint8Array(12))
const aes = (key: string) => crypto.subtle.importKey('raw', fromBase64(key), 'AES-GCM', false, ['encrypt', 'decrypt'])
const publicOf = (key: JsonWebKey) => crypto.subtle.importKey('jwk', key, curve, false, [])
const agreed = (theirs: CryptoKey, mine: CryptoKey, use: 'encrypt' | 'decrypt') =>
  crypto.subtle.deriveKey({ name: 'ECDH', public: theirs }, mine, { name: 'AES-GCM', length: 256 }, false, [use])

/**
 * A user's key pair on this device. Anybody may seal for the user; the draft key from the server, which only that
 * user receives, opens the private half.
 */
type Pair = { public: JsonWebKey; private: { iv: string; data: string } }
const pairName = (userId: number) => `sealing-${userId}`
function pairOf(userId: number): Pair | null {
  try {
    return JSON.parse(localStorage.getItem(pairName(userId)) ?? 'null') as Pair | null
  } catch {
    return null
  }
}
async function privateOf(pair: Pair, draftKey: string): Promise<CryptoKey> {
  const { iv, data } = pair.private
  const jwk = await crypto.subtle.decrypt({ name: 'AES-GCM', iv: fromBase64(iv) }, await aes(draftKey), fromBase64(data))
  return crypto.subtle.importKey('jwk', JSON.parse(new TextDecoder().decode(jwk)) as JsonWebKey, curve, false, ['deriveKey'])
}
/**
 * Creates or opens the key pair of a user, so that texts can be sealed for them from now on. Resolves to their
 * private key.
 */
export async function openPair(userId: number, draftKey: string): Promise<CryptoKey> {
  const known = pairOf(userId)
  if (known) {
    const mine = await privateOf(known, draftKey).catch(() => null)
    if (mine) return mine
  }
  const { publicKey, privateKey } = await crypto.subtle.generateKey(curve, true, ['deriveKey'])
  const iv = freshIv()
  const text = new TextEncoder().encode(JSON.stringify(await crypto.subtle.exportKey('jwk', privateKey)))
  const data = await crypto.subtle.encrypt({ name: 'AES-GCM', iv }, await aes(draftKey), text)
  const pair: Pair = {
    public: await crypto.subtle.exportKey('jwk', publicKey),
    private: { iv: toBase64(iv), data: toBase64(data) },
  }
  localStorage.setItem(pairName(userId), JSON.stringify(pair))
  return privateKey
}

/** Seals bytes for another user of this device; null if they never signed in here. */
export async function sealFor(userId: number, bytes: BufferSource): Promise<Sealed | null> {
  const pair = pairOf(userId)
  if (!pair) return null
  const once = await crypto.subtle.generateKey(curve, true, ['deriveKey'])
  const iv = freshIv()
  const key = await agreed(await publicOf(pair.public), once.privateKey, 'encrypt')
  return {
    from: await crypto.subtle.exportKey('jwk', once.publicKey),
    iv,
    data: await crypto.subtle.encrypt({ name: 'AES-GCM', iv }, key, bytes),
  }
}
export async function unseal(mine: CryptoKey, { from, iv, data }: Sealed): Promise<ArrayBuffer> {
  return crypto.subtle.decrypt({ name: 'AES-GCM', iv }, await agreed(await publicOf(from), mine, 'decrypt'), data)
}

const written = ({ from, iv, data }: Sealed) => JSON.stringify({ from, iv: toBase64(iv), data: toBase64(data) })
function readSealed(text: string): Sealed {
  const { from, iv, data } = JSON.parse(text) as { from: JsonWebKey; iv: string; data: string }
  return { from, iv: fromBase64(iv), data: fromBase64(data).buffer }
}

/**
 * Names of a user's drafts and unsent messages. They are stored in clear while the user is signed in here, and
 * sealed for the next user.
 */
const ofUser = /^(?:draft|outbox)-(\d+)-/
export async function sealTexts(but: number): Promise<void> {
  for (const name of Object.keys({ ...localStorage })) {
    const owner = Number(ofUser.exec(name)?.[1] ?? but)
    if (owner === but) continue
    const text = localStorage.getItem(name) ?? ''
    const sealed = await sealFor(owner, new TextEncoder().encode(text))
    if (localStorage.getItem(name) !== text) continue
    localStorage.removeItem(name) // first, because there may be no room for both
    if (sealed) localStorage.setItem(`sealed-${owner}-${name}`, written(sealed))
  }
}
export async function unsealTexts(userId: number, mine: CryptoKey): Promise<void> {
  const prefix = `sealed-${userId}-`
  for (const name of Object.keys({ ...localStorage })) {
    if (!name.startsWith(prefix) || !ofUser.test(name.slice(prefix.length))) continue
    const bytes = await unseal(mine, readSealed(localStorage.getItem(name)!)).catch(() => null)
    const own = name.slice(prefix.length)
    localStorage.removeItem(name)
    if (bytes && localStorage.getItem(own) === null) localStorage.setItem(own, new TextDecoder().decode(bytes))
  }
}
