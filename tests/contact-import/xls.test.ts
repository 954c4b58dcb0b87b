import { brotliDecompressSync } from 'node:zlib'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { contactTable } from '#tests/support/contact-table.ts'
import { startTestApp, type TestApp } from '#tests/support/server.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.stop())

/** An old workbook: a hidden sheet, then numbers as numbers and as a formula, a date cell and a text with zeros in front. */
const workbook = brotliDecompressSync(
  Buffer.from(
    [
      'G/8PAB6FccPd5MtSlhisjxIf93h4Wit7v7oWuGdCCDKKCBRLIJkcyFOMmlgFhDmSuW2fuPm1MbAusLZGbQpsrtcEzAKBLO6yf5+Hr9Pe31TKBDh610FrA668',
      'gHITl9Of0/+bG3AO0cQ20NgWDtAFGHHACWyfQIGUQoEsgkCjgLTzV28fUThe/S/vnvLSvv+u9uTVN/s/BQBYrNBdtWgEQCABlAQC3VVVAVSj8D/Qbm1GQ6cR',
      'ursoZiQUqAFlNjWhGS1oRRva0YFOdKFEDXX0QE/0Qm/0QV/0Q38MwMDamuJqwpg1RJWGYF9gaeOihjUauhnOCplIW5ei0iZU4cBk12YDWPUyAH0MWYTqcwS+',
      'aUTeVThlas5y9nT/+C1tSWNld/6Gb/kiNDY8lbyRv5TwDFvNeNb8Zsw4u2INKi2Pg9oVX+yLYFFkIXkkqeknoS6hh4TXI+GTSFikDnbmL+y5IPwXS1G4JWG4',
      'hE5JeD8S/pQwTX9/gbsBNMQyq1ZqIJazzNVXDFqv+zVTtK2shxruoMZj+We4Y0Yejc/BGRvxx0tD5wwu+1moVbwUZMe67JLU3nqi/q/ivYItIf4X7npnJNxU',
      'OlsQcmxWWsGp3cUSUqwzumQhvNACaP13vj3YIYb26l7CHqz9EkrNXrz2/njZvXLJDpQwXsIECdck4YpmANcl3JAgdSBAIKcBoNQi3jY5mBRahZSV6t5rhKUI',
      'AB9Fm+yl5brtMUtwdiHgYDvGQRPELWQ8opwHuAHOaA3IvVcwKlnbCwE1wr/yCkbtICSotZTmrdS6VCd713ahAIruiiNSa8cIoK4twyRXaj2eO0HypfNagxSd',
      'OoVQcvb2NToeLm8nndTAKz2fLM2ph1AoNYi5maaZapqchkgotYmDOKbFEZJfXbb7y3pMmiAJpZoYmWeqoWbdMDjUdDPM5AVnG2qOuXLqo0CpSWx9stERK1L0',
      'a/6PWdO4/ACW62tlaqqpAWiGDVVcnSbJd5lMYRkzittLAA==',
    ].join(''),
    'base64',
  ),
)
const upload = async (content: Uint8Array) => (await app.as('admin')('POST', '/contacts/upload', contactTable(content, 'antiga.xls'))).body

it('an old workbook is read with whole numbers, accents, dates and zeros in front', async () => {
  const table = await upload(workbook)
  expect(table).toMatchObject({ total: 4, encoding: null, hasHeader: true })
  expect(table.columns.map(({ title }: { title: string }) => title)).toEqual(['Nome', 'Número', 'Nascimento', 'CEP'])
  expect(table.rows.map(({ cells }: { cells: string[] }) => cells)).toEqual([
    ['Conceição Ávila', '5511985550301', '01/03/1990', '04101'],
    ['Işık Öztürk', '+90 501 234 56 78'],
    ['Fórmula', '11985550305'],
    ['Decimal', '11985550304'],
  ])
  expect(table.counts).toMatchObject({ created: 4, ignored: 0 })
})
it('an old workbook that is cut or damaged is refused', async () => {
  for (const size of [8, 512, 1500, 3000]) expect((await upload(workbook.subarray(0, size))).error).toBe('ERR_IMPORT_FILE')
  const damaged = Buffer.from(workbook)
  damaged.fill(0xff, 512, 2048)
  expect((await upload(damaged)).error).toBe('ERR_IMPORT_FILE')
})
