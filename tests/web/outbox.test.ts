import { createStore } from 'jotai'
import { describe, expect, it } from 'vitest'
import type { MessageRow } from '#domain/message/contract.ts'
import { ApiError, type CallOptions, Offline } from '#web/api.ts'
import { type Overtaken, outbox, type Returned, unanswered } from '#web/message/outbox.ts'
import { type KeyValueStorage, putUnsent, type Sending, unsent } from '#web/message/unsent.ts'

const row = (id: number, more: Partial<MessageRow> = {}): MessageRow =>
  ({
    id,
    ticketId: 5,
    body: 'oi',
    fromMe: true,
    user: { id: 7, name: 'Ana' },
    isPrivate: false,
    mediaUrl: null,
    revision: 10,
    createdAt: '2026-11-20T12:00:00.000Z',
    ...more,
  }) as MessageRow
const item = (more: Partial<Pick<Sending, 'body' | 'anyway' | 'files' | 'ticketId' | 'group' | 'isCaption'>> = {}) => ({
  ...{ ticketId: 5, uuid: 'c0ffee', to: 'Marta', body: 'oi', quoted: null },
  ...{ isPrivate: false, sign: true, seen: 9, anyway: false, files: [] },
  ...more,
})
const storage = (kept: Map<string, string>, changed = () => {}): KeyValueStorage => ({
  getItem: (name) => kept.get(name) ?? null,
  setItem: (name, text) => {
    kept.set(name, text)
    queueMicrotask(changed)
  },
  removeItem: (name) => {
    kept.delete(name)
    queueMicrotask(changed)
  },
  key: (at) => [...kept.keys()][at] ?? null,
  get length() {
    return kept.size
  },
})
const soon = () => new Promise((resume) => setTimeout(resume))
function sending(answers: ((how: CallOptions) => Promise<{ messages: MessageRow[] }>)[]) {
  const store = createStore()
  const asked: { body: string; key: string; anyway: boolean }[] = []
  const sent: number[] = []
  const overtaken: Overtaken[] = []
  const returned: Returned[] = []
  const box = outbox({
    store,
    send: (ask, how) => {
      asked.push({ body: ask.body.body, key: how.commandId!, anyway: ask.body.anyway === true })
      return answers.shift()!(how)
    },
    sent: (_, rows) => sent.push(...rows.map(({ id }) => id)),
    overtaken: (one) => overtaken.push(one),
    returned: (one, error) => returned.push({ ...one, error }),
  })
  return { box, asked, sent, overtaken, returned, now: () => store.get(box.ofTicket(5)) }
}
const answer = (id: number) => async () => ({ messages: [row(id)] })

describe('sending', () => {
  it('shows a message at once and removes it with the answer', async () => {
    const { box, now, sent } = sending([answer(1)])
    box.send(item())
    expect(now()).toMatchObject([{ body: 'oi', state: 'sending' }])
    await soon()
    expect(now()).toEqual([])
    expect(sent).toEqual([1])
  })
  it('keeps the order within a ticket', async () => {
    const { box, asked } = sending([answer(1), answer(2)])
    box.send(item({ body: 'um' }))
    box.send(item({ body: 'dois' }))
    expect(asked).toHaveLength(1)
    await soon()
    expect(asked.map(({ body }) => body)).toEqual(['um', 'dois'])
  })
  const away = [new Offline(), new ApiError('ERR_UNAVAILABLE', {}, 503), new ApiError('ERR_TOO_MANY_REQUESTS', {}, 429)]
  it.each(away)('waits while offline or unavailable (%s) and sends with the same command id, in order', async (error) => {
    const { box, now, asked } = sending([() => Promise.reject(error), answer(1), answer(2)])
    box.send(item({ body: 'um' }))
    box.send(item({ body: 'dois' }))
    await soon()
    expect(now().map(({ state }) => state)).toEqual(['waiting', 'queued'])
    box.wake()
    await soon()
    expect(asked.map(({ body }) => body)).toEqual(['um', 'um', 'dois'])
    expect(asked[0]!.key).toBe(asked[1]!.key)
    expect(now()).toEqual([])
  })
  it('shows the error and can be tried again', async () => {
    const { box, now } = sending([() => Promise.reject(new ApiError('ERR_SENDING_WAPP_MSG', {}, 400)), answer(1)])
    box.send(item())
    await soon()
    expect(now()).toMatchObject([{ state: 'failed' }])
    box.again(now()[0]!.key)
    await soon()
    expect(now()).toEqual([])
  })
  it('returns a message that has no space left, and sends the later ones', async () => {
    const full = () => Promise.reject(new ApiError('ERR_UPLOAD_QUOTA', { limit: 1 }, 413))
    const { box, now, asked, returned } = sending([full, answer(1)])
    box.send(item({ body: 'um', files: [new File(['x'], 'a.txt')] }))
    box.send(item({ body: 'dois' }))
    await soon()
    expect(asked.map(({ body }) => body)).toEqual(['um', 'dois'])
    expect(returned.map(({ body, files }) => [body, files.map(({ name }) => name)])).toEqual([['um', ['a.txt']]])
    expect(now()).toEqual([])
  })
  it('returns all messages if another agent answered first, and sends nothing', async () => {
    const changed = () => Promise.reject(new ApiError('ERR_TICKET_CHANGED', { userId: 8, revision: 12 }, 409))
    const { box, now, overtaken, asked } = sending([changed, answer(1)])
    box.send(item({ body: 'um' }))
    box.send(item({ body: 'dois' }))
    await soon()
    expect(asked).toHaveLength(1)
    expect(now()).toEqual([])
    expect(overtaken).toMatchObject([{ userId: 8, revision: 12, item: { body: 'um\ndois', seen: 9 } }])
    box.send(item({ body: 'um\ndois', anyway: true }))
    await soon()
    expect(asked.at(-1)).toMatchObject({ anyway: true })
  })
  const part = (name: string, body = '') =>
    item({ body, files: [new File(['x'], name)], group: 'parts', ...(body !== '' && { isCaption: true }) })
  const bad = () => Promise.reject(new ApiError('ERR_UNSUPPORTED_MEDIA', {}, 415))
  it('keeps the order of several files: those behind a failed one wait for it', async () => {
    const { box, now, asked, sent } = sending([answer(1), bad, answer(4), answer(2), answer(3)])
    for (const name of ['01.jpg', '02.jpg', '03.pdf']) box.send(part(name, name))
    box.send(item({ body: 'depois' }))
    await soon()
    expect(asked.map(({ body }) => body)).toEqual(['01.jpg', '02.jpg', 'depois'])
    expect(now().map(({ body, state }) => `${body} ${state}`)).toEqual(['02.jpg failed', '03.pdf queued'])
    box.again(now()[0]!.key)
    await soon()
    expect(asked.slice(3).map(({ body }) => body)).toEqual(['02.jpg', '03.pdf'])
    expect(asked[3]!.key).toBe(asked[1]!.key)
    expect([now(), sent]).toEqual([[], [1, 4, 2, 3]])
  })
  it('sends the files behind a failed one after it is discarded', async () => {
    const { box, now, asked } = sending([bad, answer(2)])
    for (const name of ['01.jpg', '02.jpg']) box.send(part(name, name))
    await soon()
    box.discard(now()[0]!.key)
    await soon()
    expect([asked.map(({ body }) => body), now()]).toEqual([['01.jpg', '02.jpg'], []])
  })
  /** An upload that goes on until it is cancelled. */
  const endless =
    (share = 0.4) =>
    ({ signal, progress }: CallOptions) => {
      progress?.(share)
      return new Promise<never>((_, reject) =>
        signal?.addEventListener('abort', () => reject(new DOMException('given up', 'AbortError')), { once: true }),
      )
    }
  it('a cancelled upload returns with the files behind it, and what came before stays sent', async () => {
    const { box, now, asked, sent, returned } = sending([answer(1), endless(), answer(2)])
    for (const name of ['01.jpg', '02.jpg', '03.pdf']) box.send(part(name, name))
    box.send(item({ body: 'depois' }))
    await soon()
    const [uploading] = now()
    expect(box.isCancellable(uploading!)).toBe(true)
    box.cancel(uploading!.key)
    await soon()
    expect(returned).toMatchObject([{ error: null, captions: ['02.jpg', '03.pdf'] }])
    expect(returned[0]!.files.map(({ name }) => name)).toEqual(['02.jpg', '03.pdf'])
    expect([asked.map(({ body }) => body), sent, now()]).toEqual([['01.jpg', '02.jpg', 'depois'], [1, 2], []])
  })
  it('a message without files or whose upload is complete cannot be cancelled', async () => {
    const whole = sending([endless(1)])
    whole.box.send(part('01.jpg'))
    const text = sending([endless()])
    text.box.send(item())
    await soon()
    for (const { box, now, returned } of [whole, text]) {
      expect(box.isCancellable(now()[0]!)).toBe(false)
      box.cancel(now()[0]!.key) // the server may have it, so it may be sent
      await soon()
      expect([now(), returned]).toMatchObject([[{ state: 'sending' }], []])
    }
  })
  it('returns all parts of a message in their order, each with its caption', async () => {
    const full = () => Promise.reject(new ApiError('ERR_UPLOAD_QUOTA', { limit: 1 }, 413))
    const { box, now, returned } = sending([full])
    for (const [name, caption] of [['01.jpg', 'sala'], ['02.jpg'], ['03.pdf', 'contrato']] as const) box.send(part(name, caption))
    await soon()
    expect(now()).toEqual([])
    expect(returned.map(({ body, files, captions }) => [body, files.map(({ name }) => name), captions])).toEqual([
      ['', ['01.jpg', '02.jpg', '03.pdf'], ['sala', '', 'contrato']],
    ])
  })
  it('continues after a reload with its file, once and with the same command id', async () => {
    const shelf = new Map<string, string>()
    const files = new Map<string, File[]>()
    const page = () => {
      const store = createStore()
      const asked: { key: string; files: string[] }[] = []
      let answered = Promise.withResolvers<{ messages: MessageRow[] }>()
      const box = outbox({
        store,
        send: (_, how) => {
          asked.push({ key: how.commandId!, files: (how.files ?? []).map(({ name }) => name!) })
          return answered.promise
        },
        sent: () => {},
        overtaken: () => {},
        returned: () => {},
        keep: {
          ...{ shelf: storage(shelf), userId: 7 },
          files: {
            keep: async (key, some) => void (some.length > 0 ? files.set(key, some) : files.delete(key)),
            kept: async (key) => files.get(key) ?? [],
          },
        },
      })
      const answer = () => answered.resolve({ messages: [row(1)] })
      const refuse = () => {
        answered.reject(new ApiError('ERR_UNSUPPORTED_MEDIA', {}, 415))
        answered = Promise.withResolvers()
      }
      return { box, asked, answer, refuse, now: () => store.get(box.ofTicket(5)) }
    }
    const left = page()
    left.box.send(item({ files: [new File(['x'], 'laudo.pdf')] }))
    left.box.send(item({ body: 'depois' }))
    const come = page()
    expect(come.now().map(({ body }) => body)).toEqual(['oi', 'depois'])
    come.box.wake()
    await soon()
    expect(come.now()).toMatchObject([{ state: 'sending', files: [{ name: 'laudo.pdf' }] }, { state: 'queued' }])
    expect(come.asked).toEqual([{ key: left.asked[0]!.key, files: ['laudo.pdf'] }])
    come.refuse()
    await soon()
    come.answer()
    await soon()
    const later = page()
    await soon()
    expect(later.now()).toMatchObject([
      { state: 'failed', files: [{ name: 'laudo.pdf' }], error: { code: 'ERR_UNSUPPORTED_MEDIA', status: 415 } },
    ])
    files.clear() // the browser may throw away what it keeps
    const poor = page()
    await soon()
    poor.box.again(poor.now()[0]!.key)
    await soon()
    expect(poor.asked).toEqual([])
    expect(poor.now()).toMatchObject([{ body: 'oi', state: 'failed', error: { code: 'ERR_NO_MEDIA_FOUND' } }])
    later.box.discard(later.now()[0]!.key)
    expect([[...shelf.keys()], files.size]).toEqual([[], 0])
  })
  it('does not show a message twice if its frame arrives before the answer', () => {
    const pending = { ...item(), key: 'k', at: '2026-11-20T12:00:00.000Z', state: 'sending', share: 0, error: null } as Sending
    expect(unanswered([pending], [row(3, { revision: 9 })], 7)).toHaveLength(1)
    expect(unanswered([pending], [row(3, { body: '*Ana:*\noi' })], 7)).toHaveLength(0)
    expect(unanswered([pending, { ...pending, key: 'l' }], [row(3)], 7)).toHaveLength(1)
    expect(unanswered([pending], [row(3, { user: { id: 8, name: 'Bia' } })], 7)).toHaveLength(1)
  })
})

describe('two tabs of one user', () => {
  const browser = () => {
    const kept = new Map<string, string>()
    const tell = () => {
      for (const one of heard) one()
    }
    const shelf = storage(kept, tell)
    const standing = new Set<string>()
    const turns = new Map<string, Promise<unknown>>()
    const asked: string[] = []
    const heard: (() => void)[] = []
    const tab = (mine: string, answers: (() => Promise<{ messages: MessageRow[] }>)[]) => {
      standing.add(mine)
      const store = createStore()
      const overtaken: Overtaken[] = []
      const box = outbox({
        store,
        send: ({ body }, how) => {
          asked.push(`${mine}: ${body.body} ${how.commandId!.length}`)
          return answers.shift()!()
        },
        ...{ sent: () => {}, overtaken: (one) => overtaken.push(one), returned: () => {} },
        keep: { shelf, userId: 7, files: { keep: async () => {}, kept: async () => [] } },
        tabs: {
          mine,
          stands: async (one) => standing.has(one),
          turn: (name, work) => {
            const next = (turns.get(name) ?? Promise.resolve()).then(() => (standing.has(mine) ? work() : undefined))
            turns.set(name, next)
            return next
          },
        },
      })
      heard.push(box.onStorageChange)
      return {
        box,
        overtaken,
        now: () => store.get(box.ofTicket(5)).map(({ body, state }) => `${body} ${state}`),
        go: () => standing.delete(mine),
      }
    }
    return { tab, tell, asked, kept, shelf }
  }
  const lost = () => Promise.reject(new Offline())

  it('store what each tab wrote and show the same', async () => {
    const { tab, shelf } = browser()
    const [one, two] = [tab('one', [lost, lost, lost]), tab('two', [lost, lost, lost])]
    one.box.send(item({ body: 'um' }))
    two.box.send(item({ body: 'dois' }))
    await soon()
    expect(unsent(shelf, 7).map(({ body }) => body)).toEqual(['um', 'dois'])
    expect([one.now(), two.now()]).toEqual([
      ['um waiting', 'dois queued'],
      ['um waiting', 'dois queued'],
    ])
  })
  it('send each message once and in order, from the tab where it was written', async () => {
    const { tab, asked, kept } = browser()
    const [one, two] = [tab('one', [lost, answer(1)]), tab('two', [answer(2)])]
    one.box.send(item({ body: 'um' }))
    await soon()
    two.box.send(item({ body: 'dois' }))
    await soon()
    expect(asked).toEqual(['one: um 36']) // what is younger waits
    two.box.wake()
    one.box.wake()
    await soon()
    expect(asked).toEqual(['one: um 36', 'one: um 36', 'two: dois 36'])
    expect([one.now(), two.now(), [...kept.keys()]]).toEqual([[], [], []])
  })
  it('take over from a closed tab, with the same command id', async () => {
    const { tab, asked, kept } = browser()
    const never = () => new Promise<{ messages: MessageRow[] }>(() => {})
    const one = tab('one', [never])
    one.box.send(item({ body: 'um' }))
    await soon()
    one.go()
    const again: string[] = []
    const two = outbox({
      store: createStore(),
      send: ({ body }) => answer(again.push(body.body))(),
      ...{ sent: () => {}, overtaken: () => {}, returned: () => {} },
      keep: { shelf: storage(kept), userId: 7, files: { keep: async () => {}, kept: async () => [] } },
    })
    two.wake()
    await soon()
    expect([asked, again, [...kept.keys()]]).toEqual([['one: um 36'], ['um'], []])
  })
  it('remove in both tabs what one discards, for good', async () => {
    const { tab, tell, kept } = browser()
    const refuse = Promise.withResolvers<{ messages: MessageRow[] }>()
    const [one, two] = [tab('one', [() => refuse.promise]), tab('two', [])]
    one.box.send(item({ body: 'um' }))
    await soon()
    expect(two.now()).toEqual(['um sending'])
    kept.clear() // signed out in the other
    tell()
    refuse.reject(new ApiError('ERR_SENDING_WAPP_MSG', {}, 400))
    await soon()
    expect([one.now(), two.now(), kept.size]).toEqual([[], [], 0])
  })
  it('neither show nor send another user’s messages', () => {
    const kept = new Map<string, string>()
    const none = { stored: null, share: 0, error: null, group: null, isCaption: false }
    putUnsent(storage(kept), 70, { ...item(), key: 'k', tab: '', attached: 0, at: '2026-11-20', state: 'waiting', ...none })
    expect([unsent(storage(kept), 7).length, unsent(storage(kept), 70).length]).toEqual([0, 1])
  })
})
