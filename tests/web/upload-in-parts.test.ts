import { beforeEach, describe, expect, it, vi } from 'vitest'
import { messages } from '#domain/message/contract.ts'
import { arrivedFilesField, partBytes } from '#domain/upload/rules.ts'
import { createApiClient } from '#web/api.ts'
import { type HttpTransport, Offline } from '#web/http-transport.ts'

/** The bytes of each file that the server has, by key, and what it was sent, in order. */
let arrived: Map<string, number>
let sent: string[]
/** Decides whether a request is lost. */
let isLost: (path: string, position: number) => boolean
beforeEach(() => {
  arrived = new Map()
  sent = []
  isLost = () => false
})

const wire: HttpTransport = async ({ path, body, progress }) => {
  const form = body as FormData
  const position = Number(form.get('position'))
  if (isLost(path, position)) throw new Offline()
  if (path === '/uploads') {
    const [key, size] = [form.get('key') as string, (form.get('part') as Blob).size]
    const before = arrived.get(key) ?? 0
    sent.push(`${before === position ? 'part' : 'repeated'} ${position / partBytes}`)
    arrived.set(key, before === position ? before + size : before)
    progress?.(1)
    return { status: 200, answer: { bytes: arrived.get(key) } }
  }
  const files = JSON.parse((form.get(arrivedFilesField) as string | null) ?? '[]') as { key: string; name: string; size: number }[]
  const isWhole = files.every(({ key, size }) => arrived.get(key) === size)
  sent.push(isWhole ? `call ${files.map(({ name }) => name).join()} ${form.getAll('medias').length}` : 'refused')
  if (!isWhole) return { status: 409, answer: { error: 'ERR_UPLOAD_INCOMPLETE' } }
  progress?.(1)
  return { status: 200, answer: { messages: [] } }
}
const api = () => createApiClient({ wire, token: { get: () => 'token', keep: () => {} }, ended: () => {} }).client(messages)
const fileOf = (parts: number, name = 'a.pdf') => new File([new Uint8Array(parts * partBytes)], name, { lastModified: 5 })
const ask = {
  params: { ticketId: 1 },
  body: { body: '', quotedMsg: null, isPrivate: false, seen: 1, signMessage: false },
}
const send = (files: File[], { progress = (_: number) => {}, signal = new AbortController().signal } = {}) =>
  api().send(ask, { commandId: 'c', files: files.map((file) => ({ field: 'medias', file })), progress, signal })

describe('an upload in parts (A-UPLOAD-01)', () => {
  it('a small file goes with its call', async () => {
    await send([fileOf(2)])
    expect(sent).toEqual(['call  1'])
  })
  it('a large file goes before its call, and the share ends with the call', async () => {
    const shares: number[] = []
    await send([fileOf(2.5)], { progress: (share) => shares.push(share) })
    expect(sent).toEqual(['part 0', 'part 1', 'part 2', 'call a.pdf 0'])
    expect(shares.at(-1)).toBe(1)
    expect(shares.slice(0, -1).every((share) => share < 1)).toBe(true)
    expect(shares).toEqual(shares.toSorted((a, b) => a - b))
  })
  it('all files of a call with a large one arrive in order', async () => {
    await send([fileOf(1, 'small.pdf'), fileOf(3, 'large.pdf')])
    expect(sent).toEqual(['part 0', 'part 0', 'part 1', 'part 2', 'call small.pdf,large.pdf 0'])
  })
  it('after a lost part only this part is sent again', async () => {
    let losses = 2
    isLost = (_, position) => position === partBytes && losses-- > 0
    await send([fileOf(3)])
    expect(sent).toEqual(['part 0', 'part 1', 'part 2', 'call a.pdf 0'])
  })
  it('a later attempt of the same command goes on where the server is', async () => {
    isLost = (_, position) => position === 2 * partBytes
    vi.useFakeTimers()
    await Promise.all([expect(send([fileOf(4)])).rejects.toThrow(Offline), vi.advanceTimersByTimeAsync(20_000)])
    vi.useRealTimers()
    isLost = () => false
    sent = []
    await send([fileOf(4)])
    expect(sent).toEqual(['repeated 0', 'part 2', 'part 3', 'call a.pdf 0'])
  })
  it('parts that the server gave up are sent again', async () => {
    isLost = (path) => {
      if (path !== '/uploads') arrived.clear()
      isLost = path === '/uploads' ? isLost : () => false
      return false
    }
    await send([fileOf(3)])
    expect(sent).toEqual(['part 0', 'part 1', 'part 2', 'refused', 'part 0', 'part 1', 'part 2', 'call a.pdf 0'])
  })
  it('a file goes with its call where the servers do not share their disk', async () => {
    isLost = (path) => {
      if (path === '/uploads' && sent.length % 2 === 1) arrived.clear() // each second part reaches the other server
      return false
    }
    await send([fileOf(3)])
    expect(sent.at(-1)).toBe('call  1')
    expect(sent.length).toBeLessThan(20)
  })
  it('a cancelled upload sends nothing more', async () => {
    const cancel = new AbortController()
    isLost = (_, position) => {
      if (position === partBytes) cancel.abort()
      return position === partBytes
    }
    await expect(send([fileOf(3)], { signal: cancel.signal })).rejects.toThrow(/abort/)
    expect(sent).toEqual(['part 0'])
  })
})
