import { pino } from 'pino'
import { expect, it } from 'vitest'
import { parseConfig } from '#app/config.ts'
import { unquoted } from '#app/event-store/error-serializer.ts'
import { metaRemarks } from '#app/meta/environment.ts'

it('keeps what Postgres quotes of a row out of the log', () => {
  const lines: string[] = []
  const logger = pino({ serializers: { err: unquoted } }, { write: (line) => void lines.push(line) })
  const error = Object.assign(new Error('invalid input syntax for type json'), {
    code: '22P02',
    detail: 'JSON data, line 1: [{"body":"meu CPF é 123',
    where: 'unnamed portal parameter $1 = \'[{"body":"meu CPF',
    data: { tag: 'message', attrs: { notify: 'meu CPF' } }, // as the client of WhatsApp adds it
  })
  logger.error({ err: error }, 'a batch failed')
  expect(lines.join()).toContain('22P02')
  expect(lines.join()).not.toContain('CPF')
})

it('keeps a value that did not fit out of the log, and what it did not fit', () => {
  const lines: string[] = []
  const logger = pino({ serializers: { err: unquoted } }, { write: (line) => void lines.push(line) })
  const error = Object.assign(new Error('invalid input syntax for type integer: "meu CPF\né 123"'), { code: '22P02' })
  logger.error({ err: error }, 'a question failed')
  expect(lines.join()).toContain('invalid input syntax for type integer')
  expect(lines.join()).toContain('log-lines.test.ts')
  expect(lines.join()).not.toContain('CPF')
})

it('says at the start which half of the app at Meta is missing, and that its login would lead nowhere', () => {
  const said = (env: Record<string, string>) => metaRemarks(parseConfig(env)).map((line) => line.split(' beside')[0])
  const app = { META_APP_ID: '123', META_APP_SECRET: 'hush' }
  expect(said({ META_APP_ID: '123' })).toEqual(['META_APP_SECRET: is missing'])
  expect(said({ META_APP_SECRET: 'hush' })).toEqual(['META_APP_ID: is missing'])
  expect(said(app)).toEqual(['PUBLIC_URL: is missing'])
  expect([said({}), said({ ...app, PUBLIC_URL: 'https://inbox.example.org' })]).toEqual([[], []])
})
