import type { Readable } from 'node:stream'
import type { Attendant } from '#domain/dashboard/contract.ts'
import { type AgentText, agentText } from '#domain/dashboard/texts.ts'
import { durationCell, textCell } from '#domain/report/cells.ts'
import { type Column, excelFile } from '../report/excel-file.ts'

/** The table of agents as an Excel file (R-DASH-03). Cells of what was not measured are empty (A-COUNT-13). */
export function agentSheet(
  rows: Attendant[],
  { language, zone, openHours = false }: { language: string; zone: string; openHours?: boolean },
): Readable {
  const count = (title: AgentText, cell: (row: Attendant) => number): Column<Attendant> => ({
    ...{ title: agentText(title, language), width: 14, format: 'number', cell },
  })
  const duration = (title: AgentText, of: (row: Attendant) => number | null): Column<Attendant> => ({
    ...{ title: durationTitle(title), width: 18, format: 'duration', cell: (row) => durationCell(of(row)) },
  })
  /** A file that counts open hours only says so in the title of each time, so that no copied column loses it. */
  const durationTitle = (title: AgentText) => {
    const name = agentText(title, language)
    return openHours ? agentText('inOpenHours', language, { name }) : name
  }
  const nameOf = ({ id, name, removed }: Attendant) => {
    if (id === null) return agentText('noAgent', language)
    return removed ? agentText('removed', language, { name: name ?? `#${id}` }) : (name ?? '')
  }
  const columns: Column<Attendant>[] = [
    { title: agentText('name', language), width: 28, format: 'text', cell: (row) => textCell(nameOf(row)) },
    count('tickets', ({ tickets }) => tickets),
    count('byHand', ({ byHand }) => byHand),
    count('byRule', ({ byRule }) => byRule),
    count('byOthers', ({ byOthers }) => byOthers),
    count('closeAll', ({ closeAll }) => closeAll),
    count('tookPart', ({ tookPart }) => tookPart),
    count('countRating', ({ countRating }) => countRating),
    { title: agentText('rating', language), width: 14, format: 'decimal', cell: ({ rating }) => rating },
    duration('waiting', ({ times }) => times.waiting.average),
    duration('firstAnswer', ({ times }) => times.firstAnswer.average),
    duration('support', ({ times }) => times.support.average),
  ]
  return excelFile(columns, [rows], { name: agentText('sheet', language), language, zone })
}
