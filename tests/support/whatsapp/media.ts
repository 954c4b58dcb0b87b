import { createHash, createHmac, randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { aesEncrypWithIV, getMediaKeys } from '@whiskeysockets/baileys'
import { generate } from 'selfsigned'
import { type FileKind, newId, type World } from './world.ts'

/** The file host, over https because the client accepts nothing else. `certificate`: what clients must trust. */
export async function mediaServer(
  files: Map<string, Buffer>,
  world: () => Pick<World, 'holdFiles' | 'filesAway' | 'refuseFiles' | 'goneFiles'>,
): Promise<{ host: string; certificate: string; server: Server }> {
  const name = `wire double ${randomUUID()}` // unique, because only the first certificate of a name would be trusted
  const { private: key, cert } = await generate([{ name: 'commonName', value: name }], {
    ...{ keyType: 'ec', algorithm: 'sha256' },
    extensions: [{ name: 'subjectAltName', altNames: [{ type: 7, ip: '127.0.0.1' }] }],
  })
  let host = ''
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { pathname } = new URL(request.url!, 'http://x')
    const file = files.get(pathname)
    const { refuseFiles } = world()
    if (request.method === 'POST' && refuseFiles !== null) {
      request.resume().on('end', () => response.writeHead(refuseFiles).end())
    } else if (request.method === 'POST' && pathname.startsWith('/mms/')) {
      files.set(pathname, Buffer.concat(await request.toArray()))
      await world().holdFiles
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ url: `https://${host}${pathname}`, direct_path: pathname }))
    } else if (request.method === 'GET' && world().filesAway > 0) {
      world().filesAway--
      response.writeHead(503).end()
    } else if (request.method === 'GET' && world().goneFiles.has(pathname)) response.writeHead(410).end()
    else if (request.method === 'GET' && file) response.writeHead(200, { 'content-length': file.length }).end(file)
    else response.writeHead(404).end()
  }
  const server = createServer({ key, cert }, (request, response) => void answer(request, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return { host, certificate: cert, server }
}

/** Uploads a file encrypted, as a phone does, and returns the fields of its message. */
export async function encrypted({ media, mediaHost }: World, kind: FileKind, data: Buffer): Promise<object> {
  const mediaKey = randomBytes(32)
  const { cipherKey, iv, macKey } = await getMediaKeys(mediaKey, kind)
  const body = aesEncrypWithIV(data, Buffer.from(cipherKey), Buffer.from(iv))
  const mac = createHmac('sha256', macKey!).update(iv).update(body).digest().subarray(0, 10)
  const file = Buffer.concat([body, mac])
  const directPath = `/v/${newId()}.enc`
  media.set(directPath, file)
  const hash = (bytes: Buffer) => createHash('sha256').update(bytes).digest()
  return {
    ...{ url: `https://${mediaHost}${directPath}`, directPath, mediaKey, fileLength: data.length },
    ...{ fileSha256: hash(data), fileEncSha256: hash(file), mediaKeyTimestamp: Math.floor(Date.now() / 1000) },
  }
}
