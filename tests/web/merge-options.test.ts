import { describe, expect, it } from 'vitest'
import type { Option } from '#domain/chatbot/contract.ts'
import { type Dice, seededRandom } from '#tests/support/seeded-random.ts'
import { times } from '#tests/support/soak.ts'
import { mergeTrees, takeTheirs } from '#web/chatbot/merge.ts'

const option = (name: string, id?: number, more: Partial<Option> = {}): Option => ({
  ...{ name, greetingMessage: null, queueType: 'text', closeTicket: false, chatbots: [] },
  ...{ optQueueId: null, optUserId: null, optIntegrationId: null, optFileId: null },
  ...(id !== undefined && { id }),
  ...more,
})
const start = [option('Boleto', 1), option('Prazos', 2, { chatbots: [option('Entrega', 3)] }), option('Outros', 4)]
/** A tree as text: the names, with what is below each in brackets. */
const shown = (tree: Option[]): string =>
  tree.map(({ name, chatbots }) => (chatbots.length > 0 ? `${name}[${shown(chatbots)}]` : name)).join(' ')

describe('two edits of a bot menu', () => {
  it('are merged if they change different options', () => {
    const theirs = start.with(0, option('Segunda via', 1))
    const mine = start.with(2, option('Outros', 4, { greetingMessage: 'Diga' }))
    const { tree, clashes } = mergeTrees(start, theirs, mine)
    expect(clashes).toEqual([])
    expect(shown(tree)).toBe('Segunda via Prazos[Entrega] Outros')
    expect(tree[2]!.greetingMessage).toBe('Diga')
  })

  it('are merged if they change different fields of one option', () => {
    const theirs = start.with(0, option('Segunda via', 1))
    const mine = start.with(0, option('Boleto', 1, { closeTicket: true }))
    const { tree, clashes } = mergeTrees(start, theirs, mine)
    expect(clashes).toEqual([])
    expect(tree[0]).toMatchObject({ id: 1, name: 'Segunda via', closeTicket: true })
  })

  it('keep what each person added, moved and removed', () => {
    const theirs = [option('Novo deles', 5), start[0]!, start[1]!]
    const mine = [start[2]!, start[0]!, option('Prazos', 2, { chatbots: [option('Entrega', 3), option('Novo meu')] })]
    const { tree, clashes } = mergeTrees(start, theirs, mine)
    expect(clashes).toEqual([])
    expect(shown(tree)).toBe('Novo deles Boleto Prazos[Entrega Novo meu]')
  })

  it('clash in the same field; the other’s value can be taken', () => {
    const theirs = start.with(0, option('Segunda via', 1))
    const mine = start.with(0, option('Fatura', 1))
    const { tree, clashes } = mergeTrees(start, theirs, mine)
    expect(clashes).toMatchObject([{ kind: 'field', id: 1, field: 'name', mine: { name: 'Fatura' }, theirs: { name: 'Segunda via' } }])
    expect(tree[0]!.name).toBe('Fatura')
    expect(shown(takeTheirs(tree, clashes[0]!))).toBe('Segunda via Prazos[Entrega] Outros')
  })

  it('clash if one person removed what the other one changed', () => {
    const without = start.toSpliced(0, 1)
    const changed = start.with(0, option('Fatura', 1))
    const kept = mergeTrees(start, without, changed)
    expect(kept.clashes).toMatchObject([{ kind: 'branch', theirs: null }])
    expect(kept.tree[0]).toMatchObject({ name: 'Fatura' })
    expect(kept.tree[0]).not.toHaveProperty('id') // the stored option is gone
    expect(shown(takeTheirs(kept.tree, kept.clashes[0]!))).toBe('Prazos[Entrega] Outros')
    const removed = mergeTrees(start, changed, without)
    expect(removed.clashes).toMatchObject([{ kind: 'branch', mine: null }])
    expect(shown(removed.tree)).toBe('Prazos[Entrega] Outros')
    expect(shown(takeTheirs(removed.tree, removed.clashes[0]!))).toBe('Fatura Prazos[Entrega] Outros')
  })

  it('keep the own order if both moved options', () => {
    const theirs = [start[1]!, start[0]!, start[2]!]
    const mine = [start[2]!, start[0]!, start[1]!]
    expect(shown(mergeTrees(start, theirs, mine).tree)).toBe('Outros Boleto Prazos[Entrega]')
    expect(shown(mergeTrees(start, theirs, start).tree)).toBe('Prazos[Entrega] Boleto Outros')
  })

  it('clash with all suboptions if one person removed a menu in which the other one changed an option', () => {
    const changed = start.with(1, option('Prazos', 2, { chatbots: [option('Entrega', 3, { greetingMessage: 'Em dois dias' })] }))
    const without = start.toSpliced(1, 1)
    const kept = mergeTrees(start, without, changed)
    expect(shown(kept.tree)).toBe('Boleto Prazos[Entrega] Outros')
    expect([kept.tree[1], kept.tree[1]!.chatbots[0]].filter((one) => 'id' in one!)).toEqual([]) // the stored options are gone
    expect(kept.clashes).toMatchObject([{ kind: 'branch', name: 'Prazos', mine: { chatbots: [{ name: 'Entrega' }] }, theirs: null }])
    expect(shown(takeTheirs(kept.tree, kept.clashes[0]!))).toBe('Boleto Outros')
    const removed = mergeTrees(start, changed, without)
    expect(shown(removed.tree)).toBe('Boleto Outros')
    expect(removed.clashes).toMatchObject([{ kind: 'branch', name: 'Prazos', mine: null, theirs: { chatbots: [{ name: 'Entrega' }] } }])
    expect(takeTheirs(removed.tree, removed.clashes[0]!)).toEqual(changed)
  })

  it('keep an option that one person moved, and merge what the other one changed in it', () => {
    const theirs = [start[0]!, option('Prazos', 2), option('Outros', 4, { chatbots: [option('Entrega', 3)] })]
    const mine = start.with(1, option('Prazos', 2, { chatbots: [option('Entrega', 3, { closeTicket: true })] }))
    const { tree, clashes } = mergeTrees(start, theirs, mine)
    expect([shown(tree), clashes]).toEqual(['Boleto Prazos Outros[Entrega]', []])
    expect(tree[2]!.chatbots[0]).toMatchObject({ id: 3, closeTicket: true })
  })

  it('leave a choice between the menus if moves and removals exclude each other', () => {
    const into = [start[0]!, option('Prazos', 2), option('Outros', 4, { chatbots: [option('Entrega', 3)] })]
    const without = start.toSpliced(2, 1)
    const { tree, clashes } = mergeTrees(start, without, into)
    expect([tree, clashes]).toEqual([into, [{ kind: 'menu', theirs: without }]])
    expect(takeTheirs(tree, clashes[0]!)).toEqual(without)
  })
})

/** A random tree. The name of an option never changes, so that it identifies the option in each edit. */
function randomTree({ int, of }: Dice, size: number): Option[] {
  const tree: Option[] = []
  for (let id = 1; id <= size; id++) {
    const level = of(levelsOf(tree))
    level.splice(int(level.length + 1), 0, option(`o${id}`, id))
  }
  return tree
}
const listed = (tree: Option[]): Option[] => tree.flatMap((one) => [one, ...listed(one.chatbots)])
const levelsOf = (tree: Option[]): Option[][] => [tree, ...listed(tree).map(({ chatbots }) => chatbots)]

/** Changes, adds, removes and moves some options. `newId`: the id of an added option, if it is stored. */
function randomEdit(start: Option[], { int, of }: Dice, who: string, newId: (n: number) => number | undefined): Option[] {
  const tree = structuredClone(start)
  for (let n = 0; n < 1 + int(4); n++) {
    const from = of(levelsOf(tree))
    const at = int(Math.max(1, from.length))
    const act = of(['change', 'add', 'remove', 'move'])
    if (act === 'add') from.splice(at, 0, option(`${who}${n}`, newId(n)))
    else if (from[at] && act === 'change') from[at].greetingMessage = who
    else if (from[at]) {
      const [taken] = from.splice(at, 1)
      const to = of(levelsOf(tree))
      if (act === 'move') to.splice(int(to.length + 1), 0, taken!)
    }
  }
  return tree
}

type Found = { parent: string | null; text: string | null }
/** The options by name. Fails if one is there twice. */
function found(tree: Option[], parent: string | null = null, all = new Map<string, Found>()): Map<string, Found> {
  for (const { name, greetingMessage, chatbots } of tree) {
    expect(all.has(name)).toBe(false)
    all.set(name, { parent, text: greetingMessage })
    found(chatbots, name, all)
  }
  return all
}

it('random edits lose no option and move none to a parent that nobody chose', () => {
  for (let seed = 1; seed <= times(600, 200_000); seed++) {
    const dice = seededRandom(seed)
    const start = randomTree(dice, 2 + dice.int(8))
    const theirs = randomEdit(start, dice, 't', (n) => 100 + n)
    const mine = randomEdit(start, dice, 'm', () => undefined)
    const { tree, clashes } = mergeTrees(start, theirs, mine)
    if (clashes.some(({ kind }) => kind === 'menu')) {
      expect([tree, clashes], `seed ${seed}`).toEqual([mine, [{ kind: 'menu', theirs }]])
      continue
    }
    const [was, there, here] = [found(start), found(theirs), found(mine)]
    const taken = clashes.reduce(takeTheirs, tree)
    for (const result of [found(tree), found(taken)])
      for (const [name, { parent }] of result)
        expect([here.get(name)?.parent, there.get(name)?.parent], `seed ${seed}: ${name}`).toContain(parent)
    const branches = clashes.flatMap((clash) => (clash.kind === 'branch' ? [(clash.mine ?? clash.theirs)!] : []))
    const inClash = found(branches)
    for (const name of new Set([...there.keys(), ...here.keys()])) {
      const [own, other, before] = [here.get(name), there.get(name), was.get(name)]
      const label = `seed ${seed}: ${name}`
      const one = own && other ? null : (own ?? other)!
      if (inClash.has(name)) expect([found(tree).has(name), found(taken).has(name)], label).toEqual(own ? [true, false] : [false, true])
      else if (one === null || !before) expect([found(tree).has(name), found(taken).has(name)], label).toEqual([true, true])
      else expect(one, label).toEqual(before) // one person removed it, and the other one left it as it was
      if (own && other && own.parent !== other.parent)
        expect(found(tree).get(name)!.parent, label).toBe(own.parent === before!.parent ? other.parent : own.parent)
    }
  }
})
