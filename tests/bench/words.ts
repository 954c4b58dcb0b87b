/** Seeded randomness and plausible words. The same seed gives the same data set. */
export type Dice = { next: () => number; int: (below: number) => number; of: <T>(list: readonly T[]) => T }

export function dice(seed: number): Dice {
  let state = (seed ^ 0x9e3779b9) >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  return { next, int: (below) => Math.floor(next() * below), of: (list) => list[Math.floor(next() * list.length)]! }
}

const begin =
  'a ba be bo ca ce co cri da de di do en es fa fi fo ga gra ho in ja la le li lo ma me mi mo na ne no o pa pe po pra que ra re ri sa se si so ta te ti to tra u va ve vi vo'.split(
    ' ',
  )
const middle =
  'ba ca ci ço da de do fe ga gui la le li lha ma men mi na ne ni nha pe ra re ri ro sa se si ta te ti to tu va ve vi xa'.split(' ')
const end = 'ção r do da s m nte l is ões to ta ra ro dor mente vel cia gem lho nha ria á ém ê ú'.split(' ')

/**
 * As in any language a few words are frequent and most are rare: the n-th has about 1/n of the first one's
 * frequency.
 */
export function vocabulary(seed: number, size = 4000): string[] {
  const { of, int } = dice(seed)
  const words = new Set(
    'não você pedido obrigado para entrega quero valor boleto ainda instalação atenção cartão endereço número amanhã promoção'.split(' '),
  )
  while (words.size < size) words.add(of(begin) + Array.from({ length: int(3) }, () => of(middle)).join('') + of(end))
  return [...words]
}

/** A sentence of 3 to 16 words. Every fortieth contains a unique number. */
export function sentence(words: string[], { next, int }: Dice): string {
  const said = Array.from({ length: 3 + int(14) }, () => words[Math.floor(words.length ** next()) - 1]!)
  if (int(40) === 0) said.push(String(10_000_000 + int(90_000_000)))
  const text = said.join(' ')
  return `${text[0]!.toUpperCase()}${text.slice(1)}${int(4) === 0 ? '?' : '.'}`
}
