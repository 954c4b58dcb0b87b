import { expect, it } from 'vitest'
import { defaults, type Settings } from '#domain/setting/contract.ts'
import { createTalk } from '#web/chatbot/talk.ts'
import { botWords } from '#web/chatbot/words.ts'
import { greetingNote } from '#web/setting/greeting-note.ts'

const queue = (greetingMessage: string | null, closeTicket = false) => ({ greetingMessage, closeTicket })

it('the form of a queue names the greeting that a customer of its only queue reads (A-BOT-02)', () => {
  expect(greetingNote(queue('Olá'), true)).toBe('queueGreets')
  expect(greetingNote(queue('Olá'), false)).toBe('connectionGreetsByChoice')
  expect(greetingNote(queue('Olá', true), false)).toBe('queueGreets') // a queue of information always sends its text
  expect(greetingNote(queue(' '), true)).toBe('connectionGreets')
})

it('the test phone follows the settings of the bot', () => {
  const option = { name: 'Boleto', greetingMessage: 'Segue', queueType: 'text' as const, closeTicket: false, chatbots: [], id: 'o.0' }
  const own = {
    ...{ id: 1, name: 'Vendas', ...queue('Fale com vendas'), integrationId: null, fileListId: null },
    chatbots: ['Boleto', 'Prazos'].map((name, n) => ({
      ...{ ...option, name, id: `o.${n}` },
      ...{ optQueueId: null, optUserId: null, optIntegrationId: null, optFileId: null },
    })),
  }
  const t = (key: keyof typeof botWords) => botWords[key][0]
  const read = (change: Partial<Settings>) => {
    const phone = createTalk({ own, others: [], settings: { ...defaults, ...change }, t })
    let talk = phone.begin()
    const first = talk.lines.find(({ from }) => from === 'us')!.text
    for (let n = 0; talk.node !== null; n++) talk = phone.answer(talk, `nada disso ${n}`)
    return [first, talk.lines.findLast(({ from }) => from === 'us')!.text]
  }
  expect(read({ handOverMessage: 'Já chamo alguém.' })).toEqual([expect.stringMatching(/^Fale com vendas/), 'Já chamo alguém.'])
  expect(read({ sendGreetingMessageOneQueues: 'disabled' })[0]).toMatch(/^\(saudação da conexão\)/)
  expect(read({ customerLanguage: 'en', handOverMessage: 'x' })[0]).toMatch(/Boleto/)
})
