import { DialogBody, Tag } from '@blueprintjs/core'
import { useState } from 'react'
import type { Static } from 'typebox'
import { channels } from '#domain/channel/channels.ts'
import type { Connection, connections } from '#domain/connection/contract.ts'
import { api } from '#web/api.ts'
import { formattedNumber } from '#web/contact/phone.ts'
import { useLanguage, useWords } from '#web/i18n.ts'
import { HealthLink } from '#web/traffic/HealthLink.tsx'
import { useAsyncAction } from '#web/ui/async-action.ts'
import { Dialog } from '#web/ui/Dialog.tsx'
import { date, hour } from '#web/ui/moment.ts'
import { RowButtons } from '#web/ui/RowButtons.tsx'
import { CodeDialog } from './CodeDialog.tsx'
import { ConnectionForm } from './ConnectionForm.tsx'
import css from './Connections.module.css'
import { RemoveConnection } from './RemoveConnection.tsx'
import { SessionButtons } from './SessionButtons.tsx'
import { Status } from './Status.tsx'
import { connectionWords } from './words.ts'

type Rows = Static<(typeof connections)['all']['answer']>

/**
 * The connections of one company for a super user. Another company sends no live updates, so changes reload the
 * list.
 */
export function CompanyConnections({ rows, reload, onClose }: { rows: Rows; reload: () => Promise<void>; onClose: () => void }) {
  const t = useWords(connectionWords)
  const language = useLanguage()
  const act = useAsyncAction()
  const [edited, setEdited] = useState<Connection | null>(null)
  const [asked, setAsked] = useState<{ what: 'remove' | 'code'; row: Rows[number] } | null>(null)
  const editRow = (id: number) => void act(async () => setEdited(await api.connections.find({ params: { id }, query: {} })))()
  const handleClose = () => {
    setEdited(null)
    setAsked(null)
    void reload()
  }
  return (
    <Dialog isOpen title={rows[0]!.company.name} onClose={onClose} size="wide">
      <DialogBody>
        <ul className={css.company}>
          {rows.map((row) => (
            <li key={row.id} data-part="company-connection">
              <span className={css.who}>
                <span dir="auto">{row.name}</span> {row.isDefault && <Tag minimal>{t('default')}</Tag>}
                <small>
                  {channels[row.channel].name}
                  {row.number && ` · ${formattedNumber(row.number)}`}
                </small>
                <small>
                  {t('updated')}: {date(row.updatedAt, language)} {hour(row.updatedAt, language)}
                </small>
              </span>
              <Status of={row} />
              <span className={css.turns}>
                <SessionButtons
                  row={row}
                  onCode={() => setAsked({ what: 'code', row })}
                  onToken={() => editRow(row.id)}
                  onTurned={() => void reload()}
                />
              </span>
              <span>
                <HealthLink of={row} />
                <RowButtons name={row.name} onEdit={() => editRow(row.id)} onRemove={() => setAsked({ what: 'remove', row })} />
              </span>
            </li>
          ))}
        </ul>
      </DialogBody>
      {edited && <ConnectionForm row={edited} onClose={handleClose} onMade={handleClose} />}
      {asked?.what === 'code' && <CodeDialog id={asked.row.id} onClose={handleClose} />}
      {asked?.what === 'remove' && <RemoveConnection row={asked.row} onClose={handleClose} />}
    </Dialog>
  )
}
