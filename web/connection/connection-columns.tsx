import { Tag } from '@blueprintjs/core'
import { useAtomValue } from 'jotai'
import { channels } from '#domain/channel/channels.ts'
import type { ConnectionRow } from '#domain/connection/contract.ts'
import { formattedNumber } from '#web/contact/phone.ts'
import { useLanguage, useWords } from '#web/i18n.ts'
import { phoneAtom } from '#web/ui/breakpoints.ts'
import { Dot } from '#web/ui/Dot.tsx'
import { date, hour } from '#web/ui/moment.ts'
import table from '#web/ui/Table.module.css'
import type { Column } from '#web/ui/Table.tsx'
import { NoQueues } from './NoQueues.tsx'
import { SessionButtons } from './SessionButtons.tsx'
import { Status } from './Status.tsx'
import { connectionFieldWords, connectionWords } from './words.ts'

type Of = { may: boolean; onCode: (row: ConnectionRow) => void; onToken: (row: ConnectionRow) => void }

/** The columns of the connections. A phone shows status and session below the name. */
export function useConnectionColumns({ may, onCode, onToken }: Of): Column<ConnectionRow>[] {
  const t = useWords(connectionWords)
  const tField = useWords(connectionFieldWords)
  const language = useLanguage()
  const phone = useAtomValue(phoneAtom) // a phone has no room for the status beside the name
  const status = (row: ConnectionRow) => (
    <>
      <Status of={row} /> {may && <NoQueues of={row} />}
    </>
  )
  const session = (row: ConnectionRow) => may && <SessionButtons row={row} onCode={() => onCode(row)} onToken={() => onToken(row)} />
  return [
    {
      title: tField('name'),
      cell: (row) => (
        <>
          <NameAndNumber row={row} />
          {phone && status(row)}
          {phone && (
            // biome-ignore lint/a11y/useKeyWithClickEvents: only keeps a click on a button from opening the row
            // biome-ignore lint/a11y/noStaticElementInteractions: only keeps a click on a button from opening the row
            <div onClick={(event) => event.stopPropagation()}>{session(row)}</div>
          )}
        </>
      ),
    },
    ...(phone
      ? []
      : [
          { title: tField('status'), cell: status, whole: true as const },
          { title: t('session'), cell: session, acts: true as const },
        ]),
    { title: t('updated'), cell: ({ updatedAt }) => `${date(updatedAt, language)} ${hour(updatedAt, language)}`, roomy: true },
  ]
}

function NameAndNumber({ row }: { row: ConnectionRow }) {
  const t = useWords(connectionWords)
  return (
    <>
      {row.color && <Dot color={row.color} />} <span dir="auto">{row.name}</span> {row.isDefault && <Tag minimal>{t('default')}</Tag>}
      <div className={`${table.muted} nums`}>
        {[channels[row.channel].name, row.number && formattedNumber(row.number)].filter(Boolean).join(' · ')}
      </div>
    </>
  )
}
