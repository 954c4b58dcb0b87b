import { describe, expect, it } from 'vitest'
import { joinElection, type Locks } from '#web/notification/lock.ts'
import { noticesOf } from '#web/notification/notices.ts'
import { createSoundPlayer, type PlayerChannel, type PlayerMessage } from '#web/notification/player.ts'

const settled = () => new Promise((resume) => setTimeout(resume))

/** The locks of one browser: first come, first served; a shared lock waits for the exclusive ones before it. */
function browserLocks() {
  type Wanted = { name: string; shared: boolean; run: () => Promise<unknown> }
  const waiting: Wanted[] = []
  const held: Wanted[] = []
  const grant = () => {
    for (const one of [...waiting]) {
      const before = [...held, ...waiting.slice(0, waiting.indexOf(one))].filter(({ name }) => name === one.name)
      if (before.some(({ shared }) => !(shared && one.shared))) continue
      waiting.splice(waiting.indexOf(one), 1)
      held.push(one)
      void one.run().then(() => {
        held.splice(held.indexOf(one), 1)
        grant()
      })
    }
  }
  const request = (name: string, { mode }: { mode: 'exclusive' | 'shared' }, run: () => unknown) =>
    new Promise<void>((resolve) => {
      waiting.push({ name, shared: mode === 'shared', run: async () => resolve((await run()) as undefined) })
      queueMicrotask(grant)
    })
  return { request } as unknown as Locks
}

describe('the leading page', () => {
  it('is one of all pages, and another takes over when it closes (A-NOTIF-01)', async () => {
    const locks = browserLocks()
    const pages = [1, 2, 3].map(() => joinElection('leader', locks))
    const leaders = async () => {
      await settled()
      return pages.map((page) => page.isLeader())
    }
    expect(await leaders()).toEqual([true, false, false])
    pages[0]!.leave()
    expect(await leaders()).toEqual([false, true, false])
    pages[2]!.leave()
    pages[1]!.leave()
    expect(await leaders()).toEqual([false, false, false])
  })
})

describe('the page that plays sounds', () => {
  /** Pages of one browser; each may or may not play before a click. */
  function pages(...allowed: boolean[]) {
    const locks = browserLocks()
    const listeners: ((message: PlayerMessage) => void)[] = []
    const channelOf = (page: number): PlayerChannel => ({
      post: (message) => {
        for (const [other, listener] of listeners.entries()) if (other !== page) listener(message)
      },
      listen: (listener) => {
        listeners[page] = listener
        return () => {
          listeners[page] = () => {}
        }
      },
    })
    const played: number[] = []
    const blocked: boolean[] = []
    const players = allowed.map((isAllowed, page) =>
      createSoundPlayer({
        locks,
        name: 'player',
        channel: channelOf(page),
        output: { isAllowed: async () => isAllowed, allow: async () => true, play: () => void played.push(page) },
        onBlocked: (is) => {
          blocked[page] = is
        },
      }),
    )
    return { players, played, blocked }
  }
  const sound = { sound: 'message', volume: 0.5 } as const

  it('is one of all pages, whichever of them asks (A-NOTIF-01)', async () => {
    const { players, played } = pages(true, true, true)
    await settled()
    players[1]!.play(sound)
    players[0]!.play(sound)
    expect(played).toEqual([0, 0])
    players[0]!.leave()
    await settled()
    players[2]!.play(sound)
    expect(played).toEqual([0, 0, 1])
  })
  it('is a page that the browser allows; the others report nothing', async () => {
    const { players, played, blocked } = pages(false, true)
    await settled()
    await settled()
    players[0]!.play(sound)
    expect(played).toEqual([1])
    expect(blocked).toEqual([false, false])
  })
  it('a blocked sound is reported in every page until a click in one of them', async () => {
    const { players, played, blocked } = pages(false, false)
    await settled()
    players[0]!.play(sound)
    expect([played, blocked]).toEqual([[], [true, true]])
    await players[1]!.allow()
    await settled()
    expect(blocked).toEqual([false, false])
    players[0]!.play(sound)
    expect(played).toEqual([1])
  })
  it('is reported as blocked again when the last page that may play closes', async () => {
    const { players, blocked } = pages(true, false)
    await settled()
    await settled()
    expect(blocked[1]).toBe(false)
    players[0]!.leave()
    await settled()
    expect(blocked[1]).toBe(true)
  })
})

describe('browser notices', () => {
  const ticket = (id: number, reason: 'message' | 'assigned' | 'waiting' = 'message') =>
    ({
      reason,
      row: { id, uuid: `uuid-${id}`, contact: { name: `Cliente ${id}` }, queue: null, ...text, lastMessage: `Olá ${id}` },
    }) as never
  const text = {
    lastMessageFromMe: false,
    lastMessageKind: 'chat',
    lastMessageDeleted: false,
    lastMessageSeconds: null,
    lastMessageFile: null,
  }

  it('name the sender and open the ticket; the text is shown only if the user chose it', () => {
    expect(noticesOf([ticket(1)], 'text')).toEqual([{ id: 1, title: 'Cliente 1', body: 'Olá 1', path: '/tickets/uuid-1' }])
    expect(noticesOf([ticket(1)], 'sender')).toEqual([{ id: 1, title: 'Cliente 1', body: 'Nova mensagem', path: '/tickets/uuid-1' }])
    expect(noticesOf([ticket(1)], 'never')).toEqual([])
  })
  it('say why the ticket is new to the user', () => {
    const bodies = noticesOf([ticket(1, 'assigned'), ticket(2, 'waiting')], 'text').map(({ body }) => body)
    expect(bodies).toEqual(['Atendimento para você: Olá 1', 'Novo atendimento aguardando: Olá 2'])
  })
  it('are three and a summary if there are more (A-NOTIF-01)', () => {
    const three = [1, 2, 3].map((id) => ticket(id))
    expect(noticesOf(three, 'sender').map(({ id }) => id)).toEqual([1, 2, 3])
    const five = noticesOf([...three, ticket(4), ticket(5)], 'sender')
    expect(five.map(({ id }) => id)).toEqual([1, 2, 3, null])
    expect(five[3]).toEqual({ id: null, title: 'Guichê', body: 'Mais 2 atendimentos com novidades', path: '/tickets' })
    expect(noticesOf([...three, ticket(4)], 'sender')[3]!.body).toBe('Mais 1 atendimento com novidades')
  })
})
