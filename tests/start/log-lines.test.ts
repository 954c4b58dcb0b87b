import { pino } from 'pino'
import { expect, it } from 'vitest'
import { parseConfig } from '#app/config.ts'
import { serializeError } from '#app/event-store/error-serializer.ts'
import { metaRemarks } from '#app/meta/environment.ts'

it('row values that Postgres quotes in errors are not logged', () => {
  const lines: string[] = []
  const logger = pino({ serializers: { err: serializeError } }, { write: (line) => void lines.push(line) })
  const error = Object.assign(new Error('invalid input syntax for type json'), {
    code: '22P02',
    detail: 'JSON data, line 1: [{"body":"meu CPF é 123',
    where: 'unnamed portal parameter $1 = \'[{"body":"meu CPF',
    data: { tag: 'message', attrs: { notify: 'meu CPF' } }, // as the WhatsApp client adds it
  })
  logger.error({ err: error }, 'a batch failed')
  expect(lines.join()).toContain('22P02')
  expect(lines.join()).not.toContain('CPF')
})

it('a value of the wrong type is not logged', () => {
  const lines: string[] = []
  const logger = pino({ serializers: { err: serializeError } }, { write: (line) => void lines.push(line) })
  const error = Object.assign(new Error('invalid input syntax for type integer: "meu CPF\né 123"'), { code: '22P02' })
  logger.error({ err: error }, 'a question failed')
  expect(lines.join()).toContain('invalid input syntax for type integer')
  expect(lines.join()).toContain('log-lines.test.ts')
  expect(lines.join()).not.toContain('CPF')
})

it('the start reports a missing half of the Meta app and a missing public address', () => {
  const said = (env: Record<string, string>) => metaRemarks(parseConfig(env)).map((line) => line.split(' beside')[0])
  const app = { META_APP_ID: '123', META_APP_SECRET: 'hush' }
  expect(said({ META_APP_ID: '123' })).toEqual(['META_APP_SECRET: is missing'])
  expect(said({ META_APP_SECRET: 'hush' })).toEqual(['META_APP_ID: is missing'])
  expect(said(app)).toEqual(['PUBLIC_URL: is missing'])
  expect([said({}), said({ ...app, PUBLIC_URL: 'https://inbox.example.org' })]).toEqual([[], []])
})
