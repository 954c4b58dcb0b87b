import { createStore } from 'jotai'
import { describe, expect, it } from 'vitest'
import { blank, boxOf, drafts, keptDrafts, modes, read, waiting } from '#web/message/composer/drafts.ts'

describe('a draft', () => {
  const shelf = () => {
    const kept = new Map<string, string>()
    return {
      kept,
      getItem: (key: string) => kept.get(key) ?? null,
      setItem: (key: string, text: string) => void kept.set(key, text),
      removeItem: (key: string) => void kept.delete(key),
    }
  }
  it('is each ticket’s own, for each of its readers, and survives a reload', () => {
    const mine = shelf()
    const store = createStore()
    const draftOf = drafts(mine, 7)
    store.set(draftOf('a-1', 'reply'), { body: 'olá' })
    store.set(draftOf('a-1', 'note'), { body: 'cliente difícil' })
    store.set(draftOf('b-2', 'reply'), { quoted: 9 })
    expect(store.get(draftOf('a-1', 'reply'))).toEqual({ ...blank, body: 'olá' })
    expect(createStore().get(drafts(mine, 7)('a-1', 'note')).body).toBe('cliente difícil')
    expect([read(mine, 7, 'b-2', 'reply').quoted, read(mine, 7, 'b-2', 'note')]).toEqual([9, blank])
    expect(keptDrafts(Object.assign(mine, Object.fromEntries(mine.kept)), 7).map(({ uuid, mode }) => `${uuid} ${mode}`)).toEqual([
      'a-1 reply',
      'a-1 note',
      'b-2 reply',
    ])
  })
  it('is not shown to the next who signs in here', () => {
    const mine = shelf()
    createStore().set(drafts(mine, 7)('a-1', 'reply'), { body: 'olá' })
    expect(read(mine, 8, 'a-1', 'reply')).toEqual(blank)
  })
  it('leaves nothing behind when it is empty, and bears a broken shelf', () => {
    const mine = shelf()
    const store = createStore()
    store.set(drafts(mine, 7)('a-1', 'reply'), { body: 'olá' })
    store.set(drafts(mine, 7)('a-1', 'reply'), blank)
    expect([...mine.kept.keys()]).toEqual([])
    mine.kept.set('draft-7-c-3-reply', '{')
    expect(read(mine, 7, 'c-3', 'reply')).toEqual(blank)
  })
  it('keeps the mode of a ticket over a reload, and changes it in no other tab', () => {
    const [browser, one, two] = [shelf(), shelf(), shelf()]
    const store = createStore()
    const first = modes(one, browser, 7)
    const second = modes(two, browser, 7)
    expect([store.get(first('a-1')), store.get(second('a-1'))]).toEqual(['reply', 'reply'])
    store.set(second('a-1'), 'reply')
    store.set(first('a-1'), 'note')
    const reloaded = (tab: ReturnType<typeof shelf>) => createStore().get(modes(tab, browser, 7)('a-1'))
    expect([store.get(second('a-1')), store.get(first('b-2'))]).toEqual(['reply', 'reply'])
    expect([reloaded(one), reloaded(two), reloaded(shelf())]).toEqual(['note', 'reply', 'note'])
  })
  it('takes what comes back beside the files that wait there from before', async () => {
    const kept = new Map<string | number, File[]>([[5, [new File(['a'], 'a.txt')]]])
    const filesIn = waiting({ keep: async (_, box, files) => kept.set(box, files), kept: async (_, box) => kept.get(box) ?? [] }, 7)
    const store = createStore()
    store.set(filesIn(boxOf(5, 'reply')), (now) => [...now, new File(['b'], 'b.txt')])
    await new Promise((resume) => setTimeout(resume))
    const names = (files: File[] | undefined) => files?.map(({ name }) => name)
    expect([names(store.get(filesIn(5))), names(kept.get(5)), store.get(filesIn(boxOf(5, 'note')))]).toEqual([
      ['a.txt', 'b.txt'],
      ['a.txt', 'b.txt'],
      [],
    ])
  })
  it('of two tabs is one until both write; sending in one leaves the other’s words', () => {
    const mine = shelf()
    const tabs = [1, 2].map(() => {
      const heard = new Set<(event: StorageEvent) => void>()
      const line = { addEventListener: (_: string, hear: never) => void heard.add(hear), removeEventListener: () => {} }
      const store = createStore()
      const one = drafts(mine, 7, line as unknown as Window)('a-1', 'reply')
      store.sub(one, () => {})
      return { set: (body: string) => store.set(one, { ...blank, body }), body: () => store.get(one).body, heard }
    }) as [Tab, Tab]
    type Tab = { set: (body: string) => void; body: () => string; heard: Set<(event: StorageEvent) => void> }
    const tell = (tab: Tab) => {
      for (const hear of tab.heard) hear({ key: 'draft-7-a-1-reply' } as StorageEvent)
    }
    const [a, b] = tabs
    a.set('bom dia')
    tell(b)
    expect(b.body()).toBe('bom dia')
    a.set('')
    tell(b)
    expect(b.body()).toBe('')
    a.set('de um')
    tell(b)
    b.set('de outro')
    tell(a)
    expect(a.body()).toBe('de um')
    a.set('')
    tell(b)
    expect([b.body(), read(mine, 7, 'a-1', 'reply').body]).toEqual(['de outro', 'de outro'])
    a.set('de novo')
    tell(b)
    a.set('')
    tell(b)
    expect([a.body(), b.body(), read(mine, 7, 'a-1', 'reply').body]).toEqual(['', 'de outro', 'de outro'])
  })
})
