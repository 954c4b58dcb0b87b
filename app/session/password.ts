import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'

/** argon2id, 19 MiB, two passes: about 45 ms. */
const cost = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 }

function derive(message: string, nonce: Buffer, { memory, passes, parallelism, tagLength } = cost): Promise<Buffer> {
  return new Promise((resolve, reject) =>
    argon2('argon2id', { message, nonce, memory, passes, parallelism, tagLength }, (error, key) =>
      error ? reject(error) : resolve(Buffer.from(key)),
    ),
  )
}
const b64 = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '')

/** Encodes as a PHC string, which contains its own salt and cost. */
const phc = (salt: Buffer, key: Buffer) => `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=${cost.parallelism}$${b64(salt)}$${b64(key)}`

export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16)
  return phc(salt, await derive(password, salt))
}

/** A hash that no password matches. Checking it takes as long as a real one. */
export const hashOfNobody = (): string => phc(randomBytes(16), randomBytes(cost.tagLength))

export async function passwordFits(password: string, hash: string): Promise<boolean> {
  const [, m, t, p, salt, key] = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([^$]+)\$([^$]+)$/.exec(hash) ?? []
  if (!salt || !key) return false
  const want = Buffer.from(key, 'base64')
  const got = await derive(password, Buffer.from(salt, 'base64'), {
    memory: Number(m),
    passes: Number(t),
    parallelism: Number(p),
    tagLength: want.length,
  })
  return timingSafeEqual(want, got)
}
