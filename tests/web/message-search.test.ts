import { describe, expect, it } from 'vitest'
import { addressOf, emptyView, filterOf, filtersIn, viewOf, withSearch } from '#web/message-search/address.ts'
import { periodName } from '#web/message-search/period.ts'

const read = (address: string) => viewOf(new URLSearchParams(address))

describe('the address of a search in all messages', () => {
  it('is read as it was written', () => {
    const view = {
      ...emptyView,
      q: 'boleto "nota fiscal"',
      sender: '7',
      kind: 'picture' as const,
      from: '2026-05-01',
      to: '2026-05-01',
      tags: [3, 4],
    }
    expect(viewOf(new URLSearchParams(addressOf(view)))).toEqual(view)
    expect(addressOf(emptyView)).toEqual({})
  })
  it('ignores what no filter accepts', () =>
    expect(read('sender=ana&kind=fax&from=ontem&to=2026-13-40&queues=x,0,-1,5&other=1')).toEqual({ ...emptyView, queues: [5] }))
  it('counts its filters, a period once', () => {
    expect(filtersIn(read('q=boleto'))).toBe(0)
    expect(filtersIn(read('q=boleto&from=2026-05-01&to=2026-05-02&queues=1,2&kind=link'))).toBe(3)
  })
  it('becomes the query of the call', () => {
    expect(filterOf(read('q=boleto'))).toEqual({ searchParam: 'boleto' })
    expect(filterOf(read('sender=us&agents=7&connections=1,2'))).toEqual({ sender: 'us', users: '[7]', whatsapps: '[1,2]' })
  })
})

describe('the recent searches', () => {
  it('come newest first, each once, and at most eight', () => {
    expect(withSearch(['q=frete', 'q=boleto'], 'q=boleto')).toEqual(['q=boleto', 'q=frete'])
    const many = Array.from({ length: 10 }, (_, n) => `q=${'abcdefghij'[n]!.repeat(3)}`)
    expect(many.reduce<string[]>(withSearch, [])).toEqual(many.slice(2).reverse())
  })
  it('keep the whole word instead of its beginning', () => {
    expect(withSearch(['q=bol', 'q=frete'], 'q=boleto')).toEqual(['q=boleto', 'q=frete'])
    expect(withSearch(['q=boleto'], 'q=bol')).toEqual(['q=boleto'])
    expect(withSearch(['q=boleto'], 'q=boleto&kind=link')).toEqual(['q=boleto&kind=link'])
  })
  it('leave out a search without a text', () => expect(withSearch(['q=frete'], 'kind=link')).toEqual(['q=frete']))
})

it.each([
  ['2026-11-01', '2026-11-29', '01/11/2026 – 29/11/2026'],
  ['2026-11-01', undefined, '01/11/2026 – …'],
  [undefined, '2026-11-29', '… – 29/11/2026'],
])('the period from %s to %s is named %s', (from, to, name) => expect(periodName(from, to, 'pt-BR')).toBe(name))
