import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { openPair, sealFor, sealTexts, unseal, unsealTexts } from '#web/sealing.ts'

const kept = new Map<string, string>()
beforeAll(() => {
  const methods: Record<string, unknown> = {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, text: string) => void kept.set(name, text),
    removeItem: (name: string) => void kept.delete(name),
  }
  const storage = new Proxy(methods, {
    ownKeys: () => [...kept.keys()],
    getOwnPropertyDescriptor: (_, name) => ({ value: kept.get(String(name)), enumerable: true, configurable: true }),
  })
  vi.stubGlobal('localStorage', storage)
})
afterAll(() => void vi.unstubAllGlobals())

const keyOf = (byte: number) => Buffer.alloc(32, byte).toString('base64url')

it('stored texts of other users are encrypted with their keys, and each user can decrypt them', async () => {
  await openPair(7, keyOf(7))
  kept.set('draft-7-a-1-reply', '{"body":"meia frase"}')
  kept.set('draft-8-a-1-reply', '{"body":"minha"}')
  kept.set('outbox-7-1', '{"body":"a caminho"}')
  kept.set('draft-9-a-1-reply', 'of somebody who never signed in with a key')
  const eight = await openPair(8, keyOf(8))
  await sealTexts(8)
  expect([...kept.keys()].filter((name) => !name.startsWith('sealing-')).toSorted()).toEqual([
    'draft-8-a-1-reply',
    'sealed-7-draft-7-a-1-reply',
    'sealed-7-outbox-7-1',
  ])
  expect(JSON.stringify([...kept])).not.toMatch(/meia frase|a caminho|never signed/)
  await expect(unseal(eight, (await sealFor(7, Buffer.from('x')))!)).rejects.toThrow()

  await unsealTexts(7, await openPair(7, keyOf(7)))
  expect([kept.get('draft-7-a-1-reply'), kept.get('outbox-7-1')]).toEqual(['{"body":"meia frase"}', '{"body":"a caminho"}'])
  expect([...kept.keys()].filter((name) => name.startsWith('sealed-'))).toEqual([])
})
