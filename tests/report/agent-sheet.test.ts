import { buffer } from 'node:stream/consumers'
import excel from 'exceljs'
import { expect, it } from 'vitest'
import { agentSheet } from '#app/dashboard/sheet.ts'
import type { Attendant } from '#domain/dashboard/contract.ts'

const none = { n: 0, average: null, median: null, p90: null }
const times = { waiting: none, firstAnswer: none, support: none, resolution: none, bot: none }
const ana: Attendant = {
  ...{ id: 7, name: 'Ana', removed: false, online: true, rating: 8.5, countRating: 2, tickets: 10, byHand: 6, byRule: 2, byOthers: 1 },
  ...{ closeAll: 1, tookPart: 12, avgWaitTime: 3, avgSupportTime: 1755 },
  times: { ...times, waiting: { ...none, n: 10, average: 180 }, support: { ...none, n: 10, average: 105_300 } },
}
const eva: Attendant = {
  ...{ ...ana, id: 8, name: '=1+1', removed: true, rating: null, countRating: 0, tickets: 0, byHand: 0, byRule: 0, byOthers: 0 },
  ...{ closeAll: 0, tookPart: 0, avgWaitTime: 0, avgSupportTime: 0, times },
}
const nobody: Attendant = { ...eva, id: null, name: null, removed: false, tickets: 4, byRule: 4 }

it('the table of agents has a row each, with empty cells for what was not measured (R-DASH-03, V38, V43)', async () => {
  const book = new excel.Workbook()
  const file = agentSheet([ana, eva, nobody], { language: 'pt-BR', zone: 'America/Sao_Paulo' })
  await book.xlsx.load((await buffer(file)) as never)
  const [sheet] = book.worksheets
  const cells = (n: number) => (sheet!.getRow(n).values as unknown[]).slice(1)
  const days = (seconds: number) => new Date(Date.UTC(1899, 11, 30) + seconds * 1000)
  expect(sheet!.name).toBe('Atendentes')
  expect(cells(1).slice(0, 3)).toEqual(['Nome', 'Finalizados', 'Pelo atendente'])
  expect(cells(2)).toEqual(['Ana', 10, 6, 2, 1, 1, 12, 2, 8.5, days(180), undefined, days(105_300)])
  expect(cells(3)).toEqual(['=1+1 (removido)', 0, 0, 0, 0, 0, 0, 0])
  expect(cells(4).slice(0, 2)).toEqual(['Sem atendente', 4])
  expect(sheet!.getCell('A3').formula).toBeUndefined()
  expect(sheet!.getCell('L2').numFmt).toBe('[h]:mm')
})
