import { describe, expect, it } from 'vitest'
import { compile, type MenuOption, type MenuQueue, type Menus } from '#domain/flow/menus.ts'
import { type Context, type Flow, type Output, type Stepped, step } from '#domain/flow/step.ts'
import { type Dice, seededRandom } from '#tests/support/seeded-random.ts'
import { reasonWords } from '#web/automation/words.ts'

const option = (id: number, name: string, to: Partial<MenuOption> = {}): MenuOption => ({
  ...{ id, name, greetingMessage: `${name}!`, queueType: 'text', closeTicket: false, chatbots: [] },
  ...{ optQueueId: null, optUserId: null, optIntegrationId: null, optFileId: null },
  ...to,
})
const queue = (id: number, name: string, to: Partial<MenuQueue> = {}): MenuQueue => ({
  ...{ id, name, greetingMessage: null, closeTicket: false, integrationId: null, fileListId: null, chatbots: [] },
  ...to,
})
const menus = (queues: MenuQueue[], to: Partial<Menus> = {}): Flow =>
  compile({
    ...{ greetingMessage: 'Olá, {nome}!', queueIds: queues.map(({ id }) => id), queues, greetsForOne: false },
    ...{ language: 'pt-BR', handOverMessage: 'Alguém continua.', ...to },
  })
const fresh: Context = { queueId: null, menus: 0, most: 3, hops: 5 }

/** What a customer reads who is handed over by an option without a text. */
const standard = '*{fila}*: aguarde, alguém vai atender você por aqui.'

/** A conversation: the result of each answer, beginning with the start. */
function talk(flow: Flow, answers: (string | null)[], from: Context = fresh): Stepped[] {
  const steps = [step(flow, null, 'oi', from)]
  let { queueId, hops } = from
  for (const answer of answers) {
    const { node, menus, outputs } = steps.at(-1)!
    for (const one of outputs) if (one.does === 'setQueue') [queueId, hops] = [one.queueId, hops - 1]
    if (node === null) break
    steps.push(step(flow, node, answer, { ...from, queueId, hops, menus }))
  }
  return steps
}
const texts = ({ outputs }: Stepped) => outputs.flatMap((one) => ('text' in one ? [one.text] : []))
const did = ({ outputs }: Stepped) => outputs.map(({ does, rule, reason }) => `${does} ${rule} ${reason}`)

const sales = queue(1, 'Vendas', {
  greetingMessage: 'Bem-vindo às vendas',
  chatbots: [
    option(11, 'Comprar', { chatbots: [option(111, 'Cafeteira'), option(112, 'Moedor', { queueType: 'attendent', optUserId: 8 })] }),
    option(12, 'Segunda via', { closeTicket: true }),
    option(13, 'Suporte técnico', { queueType: 'queue', optQueueId: 2 }),
  ],
})
const support = queue(2, 'Suporte', { greetingMessage: 'Suporte aqui', chatbots: [option(21, 'Internet'), option(22, 'Telefone')] })
const shop = menus([sales, support])

describe('the queue menu (A-BOT-02)', () => {
  it('greets once and hands over if the connection has no queue', () => {
    expect(talk(menus([]), [])[0]).toEqual({
      outputs: [
        { does: 'say', text: 'Olá, {nome}!', rule: 'A-BOT-02', reason: 'noQueue' },
        { does: 'handOver', userId: null, rule: 'A-BOT-02', reason: 'noQueue' },
      ],
      node: null,
      menus: 0,
    })
  })
  it('takes an only queue without asking and sends one greeting', () => {
    const quiet = talk(menus([queue(1, 'Vendas', { greetingMessage: 'Oi' })]), [])[0]!
    expect(did(quiet)).toEqual(['setQueue A-BOT-02 onlyQueue', 'say A-BOT-02 onlyQueue', 'handOver A-BOT-02 onlyQueue'])
    expect(texts(quiet)).toEqual(['Olá, {nome}!'])
    expect(texts(talk(menus([queue(1, 'Vendas')], { greetsForOne: true }), [])[0]!)).toEqual(['Olá, {nome}!'])
    expect(texts(talk(menus([queue(1, 'Vendas')], { greetsForOne: true, greetingMessage: null }), [])[0]!)).toEqual([])
    expect(texts(talk(menus([queue(1, 'Vendas', { greetingMessage: 'Oi' })], { greetsForOne: true }), [])[0]!)).toEqual(['Oi'])
    const tree = talk(menus([sales, support], { queueIds: [1] }), ['0', '#'])
    expect(texts(tree[0]!)).toEqual(['Olá, {nome}!\n\n*[ 1 ]* - Comprar\n*[ 2 ]* - Segunda via\n*[ 3 ]* - Suporte técnico']) // no way back from the first menu
    expect(tree.slice(1).map((one) => one.outputs[0]!.reason)).toEqual(['wrongAnswer', 'wrongAnswer'])
  })
  it('asks for one of several queues, in order, below the greeting', () => {
    expect(texts(talk(shop, [])[0]!)).toEqual(['Olá, {nome}!\n\n*[ 1 ]* - Vendas\n*[ 2 ]* - Suporte'])
  })
  it.each(['1', ' 1 ', '１', '1️⃣', '*[ 1 ]*', '1.', 'um', 'Uma', 'ONE', 'uno', 'bir', 'vendas', 'VENDAS', '“Vendas”'])(
    'takes %j as the first choice',
    (answer) => {
      const [, chosen] = talk(shop, [answer])
      expect(did(chosen!)).toEqual(['chose A-BOT-02 queueChosen', 'setQueue A-BOT-02 queueChosen', 'wait A-BOT-03 optionMenu'])
      expect(texts(chosen!)[0]).toMatch(
        /^Bem-vindo às vendas\n\n\*\[ 1 ]\* - Comprar\n[\s\S]*\*\[ 0 ]\* - Voltar\n\*\[ # ]\* - Menu inicial$/,
      )
    },
  )
  it.each(['3', 'Venda', '', '11', 'quero comprar', '0', '#', null])('takes %j as a wrong answer', (answer) => {
    const [, again] = talk(shop, [answer])
    expect(again).toMatchObject({ node: 'start/menu', menus: 2, outputs: [{ does: 'wait', rule: 'A-BOT-05', reason: 'wrongAnswer' }] })
    expect(texts(again!)[0]).toMatch(/^Opção inválida, por favor, escolha uma opção válida\.\n\nOlá/)
  })
  it('goes one level up on 0 and to the first menu on #', () => {
    const steps = talk(shop, ['1', '1', '0', '1', '#'])
    expect(steps.map(({ node }) => node)).toEqual([
      'start/menu',
      'queue:1/menu',
      'option:11/menu',
      'queue:1/menu',
      'option:11/menu',
      'start/menu',
    ])
    expect(steps[3]!.outputs[0]).toMatchObject({ does: 'wait', reason: 'back' })
  })
  it('accepts the words beside 0 and # in the company’s language', () => {
    const steps = talk(shop, ['1', '1', 'voltar', '1', 'Menu Inicial.'])
    expect(steps.slice(3).map(({ node }) => node)).toEqual(['queue:1/menu', 'option:11/menu', 'start/menu'])
    expect(talk(shop, ['1', 'back']).at(-1)).toMatchObject({ node: 'queue:1/menu', outputs: [{ reason: 'wrongAnswer' }] })
    expect(talk(shop, ['voltar']).at(-1)).toMatchObject({ node: 'start/menu', outputs: [{ reason: 'wrongAnswer' }] })
  })
  it('says that somebody will answer if the queue has no greeting', () => {
    const bare = menus([queue(1, 'Vendas'), queue(2, 'Suporte', { greetingMessage: 'Suporte aqui' })])
    expect(texts(talk(bare, ['1']).at(-1)!)).toEqual([expect.stringMatching(/^\*\{fila}\*: aguarde/)])
    expect(texts(talk(bare, ['2']).at(-1)!)).toEqual(['Suporte aqui'])
    const files = menus([queue(1, 'Vendas', { fileListId: 4 }), support])
    expect(texts(talk(files, ['1']).at(-1)!)).toEqual([]) // the files replace the text
    const inTurkish = menus([queue(1, 'Satış'), queue(2, 'Destek')], { language: 'tr' })
    expect(texts(talk(inTurkish, ['1']).at(-1)!)).toEqual([expect.stringMatching(/lütfen bekleyin/)])
  })
  it('starts again if the answered menu no longer exists', () =>
    expect(step(shop, 'option:999/menu', '1', fresh)).toMatchObject({ node: 'start/menu', outputs: [{ reason: 'restarted' }] }))
})

describe('the options of a queue (A-BOT-03)', () => {
  it('lead to a leaf, to an agent, or close the ticket', () => {
    expect(did(talk(shop, ['1', '1', '1']).at(-1)!)).toEqual([
      'chose A-BOT-03 optionChosen',
      'say A-BOT-03 optionChosen',
      'handOver A-BOT-03 leaf',
    ])
    expect(talk(shop, ['1', '1', 'moedor']).at(-1)!.outputs.at(-1)).toMatchObject({ does: 'handOver', userId: 8, reason: 'person' })
    expect(talk(shop, ['1', '2']).at(-1)!.outputs.at(-1)).toMatchObject({ does: 'close', farewell: true })
  })
  it('lead to another queue, whose menu starts with a new count', () => {
    const moved = talk(shop, ['1', '3']).at(-1)!
    expect(did(moved)).toEqual([
      ...['chose A-BOT-03 optionChosen', 'say A-BOT-03 optionChosen', 'setQueue A-BOT-02 queueChosen', 'wait A-BOT-03 optionMenu'],
    ])
    expect(moved).toMatchObject({ node: 'queue:2/menu', menus: 1 })
  })
  it('hand over to agents if the target queue no longer exists', () => {
    const gone = menus([
      queue(1, 'Vendas', { chatbots: [option(1, 'Ir ao suporte', { queueType: 'queue', optQueueId: null }), option(2, 'Outra coisa')] }),
    ])
    expect(did(talk(gone, ['1']).at(-1)!)).toEqual([
      ...['chose A-BOT-03 optionChosen', 'say A-BOT-03 optionChosen', 'say A-BOT-03 queueMissing', 'handOver A-BOT-03 queueMissing'],
    ])
  })
  it('stop at an option without text (R-BOT-02)', () => {
    const mute = menus([
      queue(1, 'Vendas', {
        chatbots: [option(1, 'Comprar', { greetingMessage: ' ', chatbots: [option(2, 'Nada'), option(3, 'Tudo')] }), option(4, 'Outros')],
      }),
    ])
    const [, stopped] = talk(mute, ['1'])
    expect(did(stopped!)).toEqual(['chose A-BOT-03 optionChosen', 'say A-BOT-03 optionChosen', 'handOver A-BOT-03 noMessage'])
    expect(texts(stopped!)).toEqual([standard])
  })
  it('hand nobody over without a word, and close without one', () => {
    const bare = (id: number, more: Partial<MenuOption> = {}) => option(id, `Opção ${id}`, { greetingMessage: null, ...more })
    const chatbots = [bare(1), bare(2, { closeTicket: true }), bare(3, { queueType: 'file' }), bare(4, { queueType: 'integration' })]
    const flow = menus([queue(1, 'Vendas', { chatbots })])
    const said = ['1', '2', '3', '4'].map((answer) => texts(talk(flow, [answer]).at(-1)!))
    expect(said).toEqual([[standard], [], [standard], [standard]])
  })
  it('are skipped if there is only one (A-BOT-04, R-BOT-03)', () => {
    const single = menus([queue(1, 'Vendas', { chatbots: [option(1, 'Só esta', { chatbots: [option(2, 'Uma'), option(3, 'Outra')] })] })])
    const [begun] = talk(single, [])
    expect(did(begun!).slice(-2)).toEqual(['chose A-BOT-04 onlyOption', 'wait A-BOT-03 optionMenu'])
    expect(texts(begun!)).toEqual(['Olá, {nome}!', 'Só esta!\n\n*[ 1 ]* - Uma\n*[ 2 ]* - Outra'])
  })
  it('are skipped at most ten times, then agents take over (A-BOT-04)', () => {
    const chain = (left: number): MenuOption[] => (left === 0 ? [] : [option(left, `Nível ${left}`, { chatbots: chain(left - 1) })])
    const end = (levels: number) => did(talk(menus([queue(1, 'Vendas', { chatbots: chain(levels) })]), [])[0]!).at(-1)
    expect([end(10), end(11)]).toEqual(['handOver A-BOT-03 leaf', 'handOver A-BOT-04 tooDeep'])
  })
  it('are not shown for an informing queue (A-BOT-06), which sends its files (A-BOT-07)', () => {
    const told = menus([queue(1, 'Horários', { greetingMessage: 'Das 9 às 18', closeTicket: true, fileListId: 4 }), support])
    expect(did(talk(told, ['1']).at(-1)!)).toEqual([
      ...['chose A-BOT-02 queueChosen', 'setQueue A-BOT-02 queueChosen', 'say A-BOT-02 queueChosen', 'files A-BOT-07 files'],
      'close A-BOT-06 information',
    ])
  })
  it('close nothing once too many tickets of the contact were closed', () => {
    const kept = step(shop, 'queue:1/menu', '2', { ...fresh, keepsOpen: true })
    expect(did(kept)).toEqual([
      ...['chose A-BOT-03 optionChosen', 'say A-BOT-03 optionChosen', 'say A-BOT-03 tooManyTickets', 'handOver A-BOT-03 tooManyTickets'],
    ])
  })
  it('are not shown for a closed queue, which keeps the ticket (A-HOURS-02)', () => {
    const shut = step(shop, 'start/menu', '2', { ...fresh, closed: new Map([[2, 'Voltamos amanhã']]) })
    expect(did(shut)).toEqual([
      ...['chose A-BOT-02 queueChosen', 'setQueue A-BOT-02 queueChosen', 'say A-HOURS-02 outOfHours', 'handOver A-HOURS-02 outOfHours'],
    ])
  })
})

describe('wrong answers (A-BOT-05)', () => {
  it('are repeated up to the limit of menus', () => {
    const steps = talk(shop, ['x', 'y', 'z'])
    expect(steps.map(({ menus, node }) => [menus, node])).toEqual([
      [1, 'start/menu'],
      [2, 'start/menu'],
      [3, 'start/menu'],
      [3, null],
    ])
    expect(did(steps[3]!)).toEqual(['say A-BOT-05 tooManyMenus', 'handOver A-BOT-05 tooManyMenus'])
    expect(texts(steps[3]!)).toEqual(['Alguém continua.'])
    const silent = talk(menus([sales, support], { handOverMessage: ' ' }), ['x', 'y', 'z']).at(-1)!
    expect(did(silent)).toEqual(['handOver A-BOT-05 tooManyMenus'])
  })
  it('never end the menu without a limit, and a right answer always works', () => {
    expect(talk(shop, Array(20).fill('x'), { ...fresh, most: 0 }).at(-1)!.node).toBe('start/menu')
    expect(step(shop, 'start/menu', '2', { ...fresh, menus: 3, quiet: true }).node).toBe('queue:2/menu')
  })
  it('end at the fiftieth menu, because another bot may be answering', () => {
    const both = [Array(80).fill('x'), Array.from({ length: 80 }, (_, n) => (n % 2 === 0 ? '1' : '0'))]
    for (const answers of both) {
      const steps = talk(shop, answers, { ...fresh, most: 0 })
      expect([steps.at(-2)!.menus, steps.at(-1)!.node]).toEqual([50, null])
      expect(did(steps.at(-1)!)).toEqual(['say A-BOT-05 tooManyMenus', 'handOver A-BOT-05 tooManyMenus'])
    }
  })
  it('are ignored during the quiet time', () =>
    expect(step(shop, 'start/menu', 'x', { ...fresh, menus: 1, quiet: true })).toEqual({ outputs: [], node: 'start/menu', menus: 1 }))
})

it('an option that leads to a person sends the standard sentence if it has no text (A-BOT-03)', () => {
  const person = { queueType: 'attendent' as const, greetingMessage: ' ' }
  const flow = menus([queue(1, 'Vendas', { chatbots: [option(1, 'Pessoa', person), option(2, 'Prazos')] })], { language: 'en' })
  const last = talk(flow, ['1']).at(-1)!
  expect(texts(last)).toEqual(['*{fila}*: please wait, someone will be with you shortly.'])
  expect(did(last).at(-1)).toBe('handOver A-BOT-03 person')
})

describe('every random menu tree', () => {
  const types = ['text', 'text', 'text', 'attendent', 'queue', 'integration', 'file'] as const
  function drawn(throws: Dice) {
    let id = 0
    const count = throws.int(5)
    const some = (below: number): number | null => (throws.chance(0.8) ? throws.int(below) + 1 : null)
    const level = (depth: number): MenuOption[] =>
      Array.from({ length: depth === 0 ? 0 : throws.int(4) }, () =>
        option(++id, `Opção ${id}`, {
          ...{ queueType: throws.of(types), closeTicket: throws.chance(0.2), greetingMessage: throws.chance(0.8) ? `Texto ${id}` : null },
          ...{ optQueueId: some(6), optUserId: some(3), optIntegrationId: some(2), optFileId: some(2), chatbots: level(depth - 1) },
        }),
      )
    const queues = Array.from({ length: count }, (_, n) =>
      queue(n + 1, `Fila ${n + 1}`, {
        ...{ greetingMessage: throws.chance(0.7) ? `Fila ${n + 1}` : null, closeTicket: throws.chance(0.1) },
        ...{ integrationId: throws.chance(0.1) ? 1 : null, fileListId: some(9), chatbots: level(throws.int(5)) },
      }),
    )
    return menus(queues, { queueIds: queues.map(({ id }) => id).filter(() => throws.chance(0.8)), greetsForOne: throws.chance(0.5) })
  }
  /** Possible answers of a customer, most of them valid. */
  const answers = ['1', '2', '3', '4', '0', '#', 'Opção 1', 'opcao 7', 'fila 2', 'voltar', '９', 'x', '', null]
  const ends = (one: Output | undefined) => one?.does === 'handOver' || one?.does === 'close' || one?.does === 'integration'

  it('reaches an end, and every step has a reason', () => {
    const seen = new Set<string>()
    for (let seed = 0; seed < 400; seed++) {
      const throws = seededRandom(seed)
      const flow = drawn(throws)
      for (const { menu, next } of Object.values(flow.nodes)) {
        for (const choice of menu?.choices ?? []) expect(flow.nodes).toHaveProperty([choice.next])
        if (menu) expect(menu.choices.length, `seed ${seed}`).toBeGreaterThan(1)
        if (menu?.first) expect([flow.nodes[menu.first]?.menu, flow.nodes[menu.back!]?.menu]).not.toContain(undefined)
        expect(next === undefined || menu === undefined).toBe(true)
      }
      const closed = new Map([1, 2, 3, 4].filter(() => throws.chance(0.15)).map((id) => [id, throws.of(['', 'Fechado'])]))
      const now = { most: throws.of([0, 0, 1, 3]), hops: throws.int(6), closed, keepsOpen: throws.chance(0.2) }
      const drawnAnswers = Array.from({ length: 10 }, () => throws.of(answers))
      const steps = talk(flow, [...drawnAnswers, ...Array(60).fill('1')], { ...fresh, ...now })
      expect(steps.at(-1)!.node, `seed ${seed}: "1" for ever leads nowhere`).toBeNull()
      for (const { outputs, node } of steps) {
        const [last, ...before] = outputs.toReversed()
        expect(ends(last), `seed ${seed}`).toBe(node === null)
        expect(outputs.filter((one) => !/^A-(BOT|HOURS)-\d\d$/.test(one.rule) || !(one.reason in reasonWords))).toEqual([])
        expect(before.filter((one) => ends(one) || one.does === 'wait')).toEqual([])
        expect(outputs.filter((one) => one.does === 'setQueue').length).toBeLessThanOrEqual(now.hops)
        if (now.keepsOpen) expect(last?.does).not.toBe('close')
        if (node !== null) expect(last).toMatchObject({ does: 'wait', node })
        if (node === null) continue
        expect(step(flow, node, 'nothing of it', { ...fresh, ...now, most: 0, quiet: true })).toEqual({ outputs: [], node, menus: 0 })
      }
      for (const one of steps.flatMap(({ outputs }) => outputs)) seen.add(one.reason)
    }
    // the other reasons occur outside a flow or for a menu that no longer exists
    expect([...seen].toSorted()).toEqual(
      [
        'back',
        'files',
        'first',
        'information',
        'integration',
        'leaf',
        'noMessage',
        'noQueue',
        'onlyOption',
        'onlyQueue',
        'optionChosen',
      ].concat(
        [
          'optionMenu',
          'outOfHours',
          'person',
          'queueChosen',
          'queueMenu',
          'queueMissing',
          'tooDeep',
          'tooManyMenus',
          'tooManyQueues',
          'tooManyTickets',
        ],
        ['wrongAnswer'],
      ),
    )
  })
})
