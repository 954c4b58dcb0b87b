import { createStore } from 'jotai'
import { afterEach, describe, expect, it } from 'vitest'
import { type Attachment, attachmentOf, blank, boxOf, drafts, keptDrafts, modes, read, waiting } from '#web/message/composer/drafts.ts'

describe('a draft', () => {
  const createStorage = () => {
    const kept = new Map<string, string>()
    return {
      kept,
      getItem: (key: string) => kept.get(key) ?? null,
      setItem: (key: string, text: string) => void kept.set(key, text),
      removeItem: (key: string) => void kept.delete(key),
    }
  }
  it('belongs to one ticket and one user, and survives a reload', () => {
    const mine = createStorage()
    const store = createStore()
    const { draftOf } = drafts(mine, 7)
    store.set(draftOf('a-1', 'reply'), { body: 'olá' })
    store.set(draftOf('a-1', 'note'), { body: 'cliente difícil' })
    store.set(draftOf('b-2', 'reply'), { quoted: 9 })
    expect(store.get(draftOf('a-1', 'reply'))).toEqual({ ...blank, body: 'olá' })
    expect(createStore().get(drafts(mine, 7).draftOf('a-1', 'note')).body).toBe('cliente difícil')
    expect([read(mine, 7, 'b-2', 'reply').quoted, read(mine, 7, 'b-2', 'note')]).toEqual([9, blank])
    expect(keptDrafts(Object.assign(mine, Object.fromEntries(mine.kept)), 7).map(({ uuid, mode }) => `${uuid} ${mode}`)).toEqual([
      'a-1 reply',
      'a-1 note',
      'b-2 reply',
    ])
  })
  it('is not shown to the next user of this browser', () => {
    const mine = createStorage()
    createStore().set(drafts(mine, 7).draftOf('a-1', 'reply'), { body: 'olá' })
    expect(read(mine, 8, 'a-1', 'reply')).toEqual(blank)
  })
  it('is removed when it is empty, and a broken stored draft is ignored', () => {
    const mine = createStorage()
    const store = createStore()
    store.set(drafts(mine, 7).draftOf('a-1', 'reply'), { body: 'olá' })
    store.set(drafts(mine, 7).draftOf('a-1', 'reply'), blank)
    expect([...mine.kept.keys()]).toEqual([])
    mine.kept.set('draft-7-c-3-reply', '{')
    expect(read(mine, 7, 'c-3', 'reply')).toEqual(blank)
  })
  it('keeps the mode of a ticket after a reload, separately in each tab', () => {
    const [browser, one, two] = [createStorage(), createStorage(), createStorage()]
    const store = createStore()
    const first = modes(one, browser, 7)
    const second = modes(two, browser, 7)
    expect([store.get(first('a-1')), store.get(second('a-1'))]).toEqual(['reply', 'reply'])
    store.set(second('a-1'), 'reply')
    store.set(first('a-1'), 'note')
    const reloaded = (tab: ReturnType<typeof createStorage>) => createStore().get(modes(tab, browser, 7)('a-1'))
    expect([store.get(second('a-1')), store.get(first('b-2'))]).toEqual(['reply', 'reply'])
    expect([reloaded(one), reloaded(two), reloaded(createStorage())]).toEqual(['note', 'reply', 'note'])
  })
  const openTab = (storage: ReturnType<typeof createStorage>) => {
    const listeners = new Set<(event: StorageEvent) => void>()
    const eventTarget = { addEventListener: (_: string, hear: never) => void listeners.add(hear), removeEventListener: () => {} }
    const store = createStore()
    const { draftOf, otherTabOf } = drafts(storage, 7, eventTarget as unknown as Window)
    const draft = draftOf('a-1', 'reply')
    store.sub(draft, () => {})
    return {
      set: (body: string) => store.set(draft, { ...blank, body }),
      body: () => store.get(draft).body,
      offered: () => store.get(otherTabOf('a-1', 'reply')),
      listeners,
    }
  }
  const notify = ({ listeners }: ReturnType<typeof openTab>) => {
    for (const listener of listeners) listener({ key: 'draft-7-a-1-reply' } as StorageEvent)
  }
  it('is shared by two tabs until both edit; sending in one keeps the text of the other', () => {
    const mine = createStorage()
    const [a, b] = [openTab(mine), openTab(mine)]
    a.set('bom dia')
    notify(b)
    expect(b.body()).toBe('bom dia')
    a.set('')
    notify(b)
    expect(b.body()).toBe('')
    a.set('de um')
    notify(b)
    b.set('de outro')
    notify(a)
    expect([a.body(), a.offered(), b.offered()]).toEqual(['de um', 'de outro', null])
    a.set('de outro')
    expect(a.offered()).toBeNull()
    a.set('de um')
    notify(b)
    expect([b.body(), b.offered()]).toEqual(['de outro', 'de um'])
    b.set('de outro')
    notify(a)
    a.set('')
    notify(b)
    expect([b.body(), read(mine, 7, 'a-1', 'reply').body]).toEqual(['de outro', 'de outro'])
    a.set('de novo')
    notify(b)
    a.set('')
    notify(b)
    expect([a.body(), b.body(), read(mine, 7, 'a-1', 'reply').body]).toEqual(['', 'de outro', 'de outro'])
  })
  it('is empty in both tabs once the second tab sends it unedited', () => {
    const mine = createStorage()
    const a = openTab(mine)
    a.set('olá')
    const b = openTab(mine)
    b.set('')
    notify(a)
    notify(b)
    expect([a.body(), b.body(), read(mine, 7, 'a-1', 'reply')]).toEqual(['', '', blank])
    b.set('de novo')
    notify(a)
    expect([a.body(), a.offered()]).toEqual(['de novo', null])
  })
  it('keeps what one tab added to the text before the other sent the earlier text', () => {
    const mine = createStorage()
    const a = openTab(mine)
    a.set('olá')
    const b = openTab(mine)
    a.set('olá, tudo bem?')
    b.set('')
    notify(a)
    notify(b)
    expect([a.body(), read(mine, 7, 'a-1', 'reply').body]).toEqual(['olá, tudo bem?', 'olá, tudo bem?'])
  })
  it('stays in the page while the storage is full', () => {
    const tab = openTab({
      ...createStorage(),
      setItem: () => {
        throw new Error('QuotaExceededError')
      },
    })
    tab.set('olá')
    notify(tab)
    expect(tab.body()).toBe('olá')
  })
})

describe('the files of a composer', () => {
  const attached = (name: string) => attachmentOf(new File([name], name))
  const namesOf = (files: Attachment[] | undefined) => files?.map(({ file }) => file.name)
  const createFileStorage = () => {
    const boxes = new Map<string | number, Attachment[]>()
    return {
      boxes,
      keep: async (_: number, box: string | number, files: Attachment[]) => boxes.set(box, files).has(box),
      kept: async (_: number, box: string | number): Promise<Attachment[] | null> => boxes.get(box)?.map((one) => ({ ...one })) ?? [],
    }
  }
  const channels: BroadcastChannel[] = []
  const openChannel = () => {
    const channel = new BroadcastChannel('files-of-composer-test')
    channels.push(channel)
    return channel
  }
  afterEach(() => {
    for (const channel of channels.splice(0)) channel.close()
  })
  /** A page that shows the ticket's composer. */
  const openPage = (storage: ReturnType<typeof createFileStorage>) => {
    const store = createStore()
    const files = waiting(storage, 7, openChannel())(5)
    const show = () => store.sub(files, () => {})
    const hide = show()
    return {
      add: (name: string) => store.set(files, (now) => [...now, attached(name)]),
      remove: (name: string) => store.set(files, (now) => now.filter(({ file }) => file.name !== name)),
      clear: () => store.set(files, []),
      shown: () => namesOf(store.get(files)),
      show,
      hide,
    }
  }
  const settle = () => new Promise((resume) => setTimeout(resume))

  it('stay when other files return before they were read', async () => {
    const storage = createFileStorage()
    storage.boxes.set(5, [attached('a.txt')])
    const filesIn = waiting(storage, 7, openChannel())
    const store = createStore()
    store.set(filesIn(boxOf(5, 'reply')), (now) => [...now, attached('b.txt')])
    await settle()
    expect([namesOf(store.get(filesIn(5))), namesOf(storage.boxes.get(5)), store.get(filesIn(boxOf(5, 'note')))]).toEqual([
      ['a.txt', 'b.txt'],
      ['a.txt', 'b.txt'],
      [],
    ])
  })
  it('are shown and stored once when a file is added after a reload', async () => {
    const storage = createFileStorage()
    openPage(storage).add('a.txt')
    await settle()
    const page = openPage(storage)
    await settle()
    page.add('b.txt')
    await settle()
    expect([page.shown(), namesOf(storage.boxes.get(5))]).toEqual([
      ['a.txt', 'b.txt'],
      ['a.txt', 'b.txt'],
    ])
  })
  it('that return to the draft stand before the present ones, also in the storage', async () => {
    const storage = createFileStorage()
    const filesIn = waiting(storage, 7, openChannel())
    const store = createStore()
    store.set(filesIn(5), [attached('present.txt')])
    await settle()
    store.set(filesIn(5), (now) => [attached('returned.txt'), ...now])
    await settle()
    const order = ['returned.txt', 'present.txt']
    expect([namesOf(store.get(filesIn(5))), namesOf(storage.boxes.get(5))]).toEqual([order, order])
  })
  it('can be removed after a reload', async () => {
    const storage = createFileStorage()
    openPage(storage).add('a.txt')
    await settle()
    const page = openPage(storage)
    await settle()
    page.remove('a.txt')
    await settle()
    expect([page.shown(), namesOf(storage.boxes.get(5))]).toEqual([[], []])
  })
  it('are added and removed in every tab that shows them', async () => {
    const storage = createFileStorage()
    const [a, b] = [openPage(storage), openPage(storage)]
    a.add('a.txt')
    await expect.poll(b.shown).toEqual(['a.txt'])
    b.add('b.txt')
    await expect.poll(a.shown).toEqual(['a.txt', 'b.txt'])
    b.clear()
    await expect.poll(a.shown).toEqual([])
    expect(namesOf(storage.boxes.get(5))).toEqual([])
  })
  it('are removed when the composer is shown again after another tab sent them', async () => {
    const storage = createFileStorage()
    const [a, b] = [openPage(storage), openPage(storage)]
    a.add('a.txt')
    await expect.poll(b.shown).toEqual(['a.txt'])
    a.hide()
    b.clear()
    await expect.poll(() => namesOf(storage.boxes.get(5))).toEqual([])
    a.show()
    await expect.poll(a.shown).toEqual([])
  })
  it('keep the place of a file that is being downloaded, which is stored once it is whole', async () => {
    const storage = createFileStorage()
    const store = createStore()
    const files = waiting(storage, 7, openChannel())(5)
    store.sub(files, () => {})
    const awaited = attachmentOf(new File([], 'contrato.pdf'), true)
    store.set(files, [awaited, attached('b.txt')])
    await settle()
    expect([namesOf(store.get(files)), namesOf(storage.boxes.get(5))]).toEqual([['contrato.pdf', 'b.txt'], ['b.txt']])
    const whole = { ...awaited, file: new File(['x'], 'contrato.pdf'), isPreparing: false }
    store.set(files, (now) => now.map((one) => (one.id === whole.id ? whole : one)))
    await settle()
    expect(namesOf(storage.boxes.get(5))).toEqual(['contrato.pdf', 'b.txt'])
  })
  it('stay when the storage does not keep them or cannot be read', async () => {
    const storage = createFileStorage()
    const full = openPage({ ...storage, keep: async () => false })
    const unreadable = openPage({ ...storage, kept: async () => null })
    full.add('a.txt')
    unreadable.add('b.txt')
    await settle()
    for (const page of [full, unreadable]) {
      page.hide()
      page.show()
    }
    await settle()
    expect([full.shown(), unreadable.shown()]).toEqual([['b.txt', 'a.txt'], ['b.txt']])
  })
})
