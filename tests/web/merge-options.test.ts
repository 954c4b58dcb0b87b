import { describe, expect, it } from 'vitest'
import type { Option } from '#domain/chatbot/contract.ts'
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
    expect(clashes).toMatchObject([{ id: 1, field: 'name', mine: { name: 'Fatura' }, theirs: { name: 'Segunda via' } }])
    expect(tree[0]!.name).toBe('Fatura')
    expect(shown(takeTheirs(tree, clashes[0]!))).toBe('Segunda via Prazos[Entrega] Outros')
  })

  it('clash if one person removed what the other one changed', () => {
    const without = start.toSpliced(0, 1)
    const changed = start.with(0, option('Fatura', 1))
    const kept = mergeTrees(start, without, changed)
    expect(kept.clashes).toMatchObject([{ field: null, theirs: null }])
    expect(kept.tree[0]).toMatchObject({ name: 'Fatura' })
    expect(kept.tree[0]).not.toHaveProperty('id') // the stored option is gone
    expect(shown(takeTheirs(kept.tree, kept.clashes[0]!))).toBe('Prazos[Entrega] Outros')
    const removed = mergeTrees(start, changed, without)
    expect(removed.clashes).toMatchObject([{ field: null, mine: null }])
    expect(shown(removed.tree)).toBe('Prazos[Entrega] Outros')
    expect(shown(takeTheirs(removed.tree, removed.clashes[0]!))).toBe('Prazos[Entrega] Outros Fatura')
  })

  it('keep the own order if both moved options', () => {
    const theirs = [start[1]!, start[0]!, start[2]!]
    const mine = [start[2]!, start[0]!, start[1]!]
    expect(shown(mergeTrees(start, theirs, mine).tree)).toBe('Outros Boleto Prazos[Entrega]')
    expect(shown(mergeTrees(start, theirs, start).tree)).toBe('Prazos[Entrega] Boleto Outros')
  })
})
