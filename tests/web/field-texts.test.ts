import type { TSchema } from 'typebox'
import { afterAll, describe, expect, it } from 'vitest'
import { contacts } from '#domain/contact/contract.ts'
import { errorTexts } from '#domain/error-texts.ts'
import { queue } from '#domain/queue/contract.ts'
import { quickReply } from '#domain/quick-reply/contract.ts'
import { tag } from '#domain/tag/contract.ts'
import { i18n, languages, say } from '#web/i18n.ts'
import { noteWords } from '#web/note/words.ts'
import { tagWords } from '#web/tag/words.ts'
import { contactWords } from '#web/ticket/drawer/words.ts'
import { ticketWords } from '#web/ticket/words.ts'
import { check, type Short } from '#web/ui/check.ts'

/* The texts of the specification stand where it has them, in their language (A-VALID-03). */
const contact = { name: 'Maria', number: '5511987654321' }
const coloured = { name: 'Vendas', color: '#123456' }
const label = { ...coloured, kanban: 0 }
const reply = { shortcode: 'oi', message: 'Olá' }
const shortTag: Short = { name: (n) => say(tagWords, 'short', { n }) }
const forms: [string, TSchema, object, string, string | null, string | null, Short?][] = [
  ['a contact without a name', contacts.create.body, { ...contact, name: '' }, 'name', 'Obrigatório', 'Required'],
  ['a contact of one letter', contacts.create.body, { ...contact, name: 'M' }, 'name', 'Muito curto!', 'Too Short!'],
  ['a contact with a long name', contacts.create.body, { ...contact, name: 'M'.repeat(251) }, 'name', 'Muito longo!', 'Too Long!'],
  ['a contact with a short number', contacts.create.body, { ...contact, number: '1234567' }, 'number', 'Muito curto!', 'Too Short!'],
  ['a contact with a long number', contacts.create.body, { ...contact, number: '1'.repeat(51) }, 'number', 'Muito longo!', 'Too Long!'],
  ['a contact whose e-mail is none', contacts.create.body, { ...contact, email: 'maria@' }, 'email', 'E-mail inválido', 'Invalid email'],
  ['a queue without a name', queue.Body, { ...coloured, name: ' ' }, 'name', 'Obrigatório', 'Required'],
  ['a queue of one letter', queue.Body, { ...coloured, name: 'V' }, 'name', 'Muito curto!', 'Too Short!'],
  ['a queue of one letter and blanks', queue.Body, { ...coloured, name: 'V   ' }, 'name', 'Muito curto!', 'Too Short!'],
  ['a queue with a long name', queue.Body, { ...coloured, name: 'V'.repeat(51) }, 'name', 'Muito longo!', 'Too Long!'],
  ['a tag without a name', tag.Body, { ...label, name: '' }, 'name', 'Obrigatório', 'Required', shortTag],
  ['a tag of two letters', tag.Body, { ...label, name: 'VI' }, 'name', 'Mensagem muito curta', 'Too Short!', shortTag],
  ['a tag of two letters and blanks', tag.Body, { ...label, name: 'VI  ' }, 'name', 'Mensagem muito curta', 'Too Short!', shortTag],
  ['a tag with a long name', tag.Body, { ...label, name: 'V'.repeat(101) }, 'name', 'Muito longo!', 'Too Long!', shortTag],
  ['an order in letters', queue.Body, { ...coloured, orderQueue: 'primeira' }, 'orderQueue', 'Use só algarismos', 'Use digits only'],
  ['an order below zero', queue.Body, { ...coloured, orderQueue: -1 }, 'orderQueue', 'No mínimo 0', 'At least 0'],
  ['half an order', queue.Body, { ...coloured, orderQueue: '1,5' }, 'orderQueue', 'Use um número inteiro', 'Use a whole number'],
  ['a quick reply without a shortcut', quickReply.Body, { ...reply, shortcode: '' }, 'shortcode', 'Obrigatório', 'Required'],
  ['a quick reply without a text', quickReply.Body, { ...reply, message: '  ' }, 'message', 'Obrigatório', 'Required'],
]
afterAll(() => i18n.changeLanguage('pt-BR'))

async function told(body: TSchema, values: object, field: string, short?: Short): Promise<string[]> {
  const all: string[] = []
  for (const language of languages) {
    await i18n.changeLanguage(language)
    const { errors } = await check(body, short)(values as never, undefined, {} as never)
    all.push(String((errors as Record<string, { message: string }>)[field]?.message))
  }
  return all
}

describe('what a form says of', () => {
  it.each(forms)('%s', async (_, body, values, field, pt, en, short) => {
    const texts = await told(body, values, field, short)
    expect(texts.slice(0, 2)).toEqual([expect.stringMatching(`^${pt}`), expect.stringMatching(`^${en}`)])
    expect(new Set(texts).size).toBe(4) // each language has its own
  })
})

it('says the others of the specification too', () => {
  expect([noteWords.short.slice(0, 2), contactWords.shortTag[0], ticketWords.chooseQueue[0]]).toEqual([
    ['Muito curta!', 'Too Short!'],
    'Tag muito curta!',
    'Selecione uma fila',
  ])
  expect(errorTexts.ERR_TAG_REQUIRED[1]).toBe('You must assign a tag before closing the ticket.')
})
