import { createHash } from 'node:crypto'
import type { FastifyReply } from 'fastify'
import { type Called, No, type World } from './world.ts'

type Held = { id: string; content: Buffer; mime: string; name: string; sha256: string; private: boolean; urls: Map<string, number> }
export type MediaHost = ReturnType<typeof mediaHost>
const urlMs = 5 * 60_000

/**
 * The files at Meta. Those of WhatsApp have an address that needs the token and lasts five minutes; the others are
 * public.
 */
export function mediaHost(world: World) {
  const files = new Map<string, Held>()
  let host = ''
  const keep = (content: Buffer, mime: string, name: string, isPrivate: boolean, claims?: string): Held => {
    const sha256 = claims ?? createHash('sha256').update(content).digest('hex')
    const one = { ...{ id: world.newId('5'), content, mime, name, sha256 }, private: isPrivate, urls: new Map<string, number>() }
    files.set(one.id, one)
    return one
  }
  return {
    files,
    keep,
    at: (url: string) => {
      host = url
    },
    /** A public address of a file. */
    open(content: Buffer, mime: string, name = 'file'): string {
      return `${host}/files/${keep(content, mime, name, false).id}`
    },
    async answer({ method, path, token, query, body }: Called, reply: FastifyReply): Promise<unknown> {
      const [, at, key] = /^files\/([\w-]+)(?:\/([\w-]+))?$/.exec(path) ?? []
      if (at) {
        const file = files.get(at)
        if (file?.private) {
          if (!world.tokens.has(token ?? '')) return reply.code(401).send('')
          if ((file.urls.get(key ?? '') ?? 0) < world.now()) return reply.code(404).send('')
        }
        return file ? reply.type(file.mime).send(file.content) : reply.code(404).send('')
      }
      if (method === 'POST' && path.endsWith('/media')) {
        world.bearer(token, query.appsecret_proof)
        if (!Buffer.isBuffer(body.file)) throw new No(100)
        return { id: keep(body.file, String(body.type), 'file', true).id }
      }
      const file = method === 'GET' && files.get(path)
      if (!file) return undefined
      world.bearer(token, query.appsecret_proof)
      const once = world.newId('u')
      file.urls.set(once, world.now() + urlMs)
      const { id, mime, sha256, content } = file
      return { id, url: `${host}/files/${id}/${once}`, mime_type: mime, sha256, file_size: content.length, messaging_product: 'whatsapp' }
    },
  }
}
