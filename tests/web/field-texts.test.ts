import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TSchema } from 'typebox'
import { afterAll, describe, expect, it } from 'vitest'
import { contacts } from '#domain/contact/contract.ts'
import { errorTexts } from '#domain/error-texts.ts'
import { queue } from '#domain/queue/contract.ts'
import { quickReply } from '#domain/quick-reply/contract.ts'
import { defaults, type Settings } from '#domain/setting/contract.ts'
import { tag } from '#domain/tag/contract.ts'
import { connectionRules } from '#web/connection/asks.ts'
import { cloudFieldRules } from '#web/connection/CloudFields.tsx'
import { idleHint } from '#web/connection/idle.ts'
import { i18n, languages, translate } from '#web/i18n.ts'
import { noteWords } from '#web/note/words.ts'
import { tagWords } from '#web/tag/words.ts'
import { contactWords } from '#web/ticket/drawer/words.ts'
import { ticketWords } from '#web/ticket/words.ts'
import { badEntry } from '#web/ui/bad-entry.ts'
import { check, type FieldRules, type Short } from '#web/ui/check.ts'

/* The texts of the specification stand where it has them, in their language (A-VALID-03). */
const contact = { name: 'Maria', number: '5511987654321' }
const coloured = { name: 'Vendas', color: '#123456' }
const label = { ...coloured, kanban: 0 }
const reply = { shortcode: 'oi', message: 'Olá' }
const shortTag: Short = { name: (n) => translate(tagWords, 'short', { n }) }
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
  ['an order in letters', queue.Body, { ...coloured, orderQueue: 'primeira' }, 'orderQueue', 'Escreva um número', 'Enter a number'],
  ['an order below zero', queue.Body, { ...coloured, orderQueue: -1 }, 'orderQueue', 'No mínimo 0', 'At least 0'],
  ['half an order', queue.Body, { ...coloured, orderQueue: '1,5' }, 'orderQueue', 'Use um número inteiro', 'Use a whole number'],
  ['a quick reply without a shortcut', quickReply.Body, { ...reply, shortcode: '' }, 'shortcode', 'Obrigatório', 'Required'],
  ['a quick reply without a text', quickReply.Body, { ...reply, message: '  ' }, 'message', 'Obrigatório', 'Required'],
]
afterAll(() => i18n.changeLanguage('pt-BR'))

async function shown(body: TSchema, values: object, field: string, short?: Short): Promise<string[]> {
  const all: string[] = []
  for (const language of languages) {
    await i18n.changeLanguage(language)
    const { errors } = await check(body, short)(values as never, undefined, {} as never)
    all.push(String((errors as Record<string, { message: string }>)[field]?.message))
  }
  return all
}

describe('the form error of', () => {
  it.each(forms)('%s', async (_, body, values, field, pt, en, short) => {
    const texts = await shown(body, values, field, short)
    expect(texts.slice(0, 2)).toEqual([expect.stringMatching(`^${pt}`), expect.stringMatching(`^${en}`)])
    expect(new Set(texts).size).toBe(4) // each language has its own
  })
})

it('the connection form reports every invalid field at once', async () => {
  await i18n.changeLanguage('pt-BR')
  const said = async (values: object, asks: FieldRules) => {
    const { errors } = await check({} as TSchema, {}, asks)(values as never, undefined, {} as never)
    const { cloud = {}, ...own } = errors as Record<string, object>
    const told = [...Object.entries(own), ...Object.entries(cloud).map(([name, error]) => [`cloud.${name}`, error] as const)]
    return Object.fromEntries(told.map(([name, error]) => [name, (error as { message: string }).message]))
  }
  for (const [timeSendQueue, message] of [
    ['abc', 'Escreva um número'],
    ['-5', 'No mínimo 0'],
    ['1,5', 'Use um número inteiro'],
    ['999999', 'No máximo 525.600'],
  ])
    expect((await said({ timeSendQueue, schedules: [] }, connectionRules)).timeSendQueue).toBe(message)
  expect(await said({ timeSendQueue: '30', lgpdLink: 'loja.test/dados', schedules: [] }, connectionRules)).toEqual({})
  expect(await said({ timeSendQueue: '', lgpdLink: 'meus dados', schedules: [] }, connectionRules)).toEqual({
    lgpdLink: 'Digite um endereço da web',
  })
  const cloud = { phoneNumberId: '+55 11 4000-1000', businessId: '', accessToken: 'EAA b', appSecret: ' ', verifyToken: '' }
  const wrong = await said({ cloud }, cloudFieldRules(true))
  expect(Object.keys(wrong)).toHaveLength(5)
  expect(wrong['cloud.phoneNumberId']).toMatch(/não o número/)
  expect(wrong['cloud.accessToken']).toMatch(/espaço no meio/)
  expect(Object.keys(await said({ cloud: { ...cloud, phoneNumberId: ' 1001 ' } }, cloudFieldRules(false)))).toEqual(['cloud.accessToken']) // what is empty stays
})

it('the connection form says which texts are unused with the company’s settings', () => {
  const texts = ['outOfHoursMessage', 'ratingMessage', 'lgpdMessage', 'greetingMessage'] as const
  const idle = (more: Partial<Settings>) => texts.filter((name) => idleHint(name, { ...defaults, ...more }) !== undefined)
  expect(idle({})).toEqual(['outOfHoursMessage', 'ratingMessage', 'lgpdMessage'])
  expect(idle({ scheduleType: 'queue' })).toContain('outOfHoursMessage') // a queue has one of its own
  expect(idle({ scheduleType: 'company', userRating: 'enabled', enableLGPD: 'enabled' })).toEqual([])
})

it('other texts of the specification are used too', () => {
  expect([noteWords.short.slice(0, 2), contactWords.shortTag[0], ticketWords.chooseQueue[0]]).toEqual([
    ['Muito curta!', 'Too Short!'],
    'Tag muito curta!',
    'Selecione uma fila',
  ])
  expect(errorTexts.ERR_TAG_REQUIRED[1]).toBe('You must assign a tag before closing the ticket.')
})

it.each([
  ['date', 'Data inválida', 'Invalid date'],
  ['time', 'Hora inválida', 'Invalid time'],
  ['number', 'Escreva um número', 'Enter a number'],
] as const)('an impossible %s is refused at its field', async (type, pt, en) => {
  const extraInfo = [{ name: 'Nascimento', value: badEntry(type) }]
  const [ptText, enText] = await shown(contacts.create.body, { ...contact, extraInfo }, 'extraInfo.0.value')
  expect([ptText, enText]).toEqual([pt, en])
})

const web = join(import.meta.dirname, '../../web')
const views = readdirSync(web, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.tsx') && !file.startsWith('dist'))
  .map((file) => ({ file, source: readFileSync(join(web, file), 'utf8') }))

it('every input of type date, time or number reports an impossible entry', () => {
  const isRaw = (source: string) =>
    source.split('<').some((tag) => /^(input|InputGroup|TextField)\b[^<]*type="(date|time|number|month|week|datetime-local)"/.test(tag))
  expect(views.filter(({ source }) => isRaw(source)).map(({ file }) => file)).toEqual([])
})

it('no view uses a Blueprint component that shows an English text of its own', () => {
  const select = /import \{[^}]*\bHTMLSelect\b[^}]*\} from '@blueprintjs\/core'/
  const isEnglish = (source: string) =>
    (select.test(source) && !source.includes('as BlueprintSelect')) || /<Tag\s[^<]*onRemove/.test(source)
  expect(views.filter(({ source }) => isEnglish(source)).map(({ file }) => file)).toEqual([])
})
