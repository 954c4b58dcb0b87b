import { Button } from '@blueprintjs/core'
import { useAtomValue } from 'jotai'
import { useState } from 'react'
import { linksPhone, providerOf } from '#domain/channel/channels.ts'
import type { ConnectionRow } from '#domain/connection/contract.ts'
import { endsSoon } from '#domain/connection/rules.ts'
import { minuteMs } from '#domain/duration/rules.ts'
import { type ApiError, api } from '#web/api.ts'
import { useWords } from '#web/i18n.ts'
import { useViewer } from '#web/session.ts'
import { useAsyncAction } from '#web/ui/async-action.ts'
import { Confirm } from '#web/ui/Confirm.tsx'
import { nowAtom } from '#web/ui/now.ts'
import { toast } from '#web/ui/toaster.ts'
import css from './Connections.module.css'
import { cloudWords } from './cloud-words.ts'
import { Imported } from './Imported.tsx'
import { goToMeta } from './metaLogin.ts'
import { RegisterDialog } from './RegisterDialog.tsx'
import { sessionWords } from './session-words.ts'
import { connectionWords } from './words.ts'

/** After this time an opening session can be disconnected or restarted by hand. */
const timeoutMs = minuteMs

type Of = { row: ConnectionRow; onCode: () => void; onToken: () => void; onTurned?: () => void }
/** The actions on a session, which depend on its state (R-CONN-02). */
export function SessionButtons({ row, onCode, onToken, onTurned }: Of) {
  const t = useWords(connectionWords)
  const tCloud = useWords(cloudWords)
  const tSession = useWords(sessionWords)
  const time = useAtomValue(nowAtom)
  const act = useAsyncAction()
  const [asked, setAsked] = useState(false)
  const [entering, setEntering] = useState(false)
  const params = { id: row.id }
  const setup = providerOf(row.provider)?.setup ?? 'code'
  const absent = ({ code }: ApiError) => {
    if (code === 'ERR_WAPP_NOT_INITIALIZED') toast(t('notYet'), 'warning')
    return code === 'ERR_WAPP_NOT_INITIALIZED'
  }
  const begun = (work: () => Promise<{ status: string }>) =>
    act(
      async () => {
        if ((await work()).status === 'qrcode') onCode()
        onTurned?.()
      },
      { refused: absent },
    )
  const button = (text: string, run: () => unknown) => (
    <Button size="small" text={text} aria-label={`${text}: ${row.name}`} loading={act.pending} onClick={() => void run()} />
  )
  const long = row.reason !== null || time - Date.parse(row.updatedAt) > timeoutMs // waiting longer does not help
  const up = row.status === 'CONNECTED' || (row.status === 'OPENING' && long)
  const away = row.status === 'DISCONNECTED' || row.status === 'TIMEOUT'
  const opens = row.status === 'PAIRING' || (row.status === 'OPENING' && !up)
  const ends = up && endsSoon(row, time)
  const foreign = row.companyId !== useViewer().companyId // its own company must authorise its pages
  // the connection was never linked, so nothing can be restarted or disconnected
  const never = row.status === 'TIMEOUT' && row.number === null
  const again = away ? !never && row.reason !== 'TOKEN_EXPIRED' : up && (row.silentSince || row.status === 'OPENING')
  return (
    <span className={css.turns}>
      <Imported of={row} />
      {row.status === 'qrcode' && button(t('showCode'), onCode)}
      {opens && <Button size="small" disabled text={t('connecting')} />}
      {again &&
        button(
          t('again'),
          begun(() => api.connections.start({ params })),
        )}
      {setup === 'login' &&
        !foreign &&
        (away || ends) &&
        button(
          tCloud('loginAgain'),
          act(() => goToMeta()),
        )}
      {setup === 'credentials' && (row.reason === 'TOKEN_EXPIRED' || ends) && button(tSession('newToken'), onToken)}
      {setup === 'credentials' && row.reason === 'NOT_REGISTERED' && button(tSession('register'), () => setEntering(true))}
      {entering && <RegisterDialog row={row} onClose={() => setEntering(false)} onDone={onTurned} />}
      {away &&
        setup === 'code' &&
        button(
          t('newCode'),
          begun(() => api.connections.renew({ params })),
        )}
      {(up || row.status === 'PAIRING' || row.status === 'TIMEOUT') && !never && button(t('disconnect'), () => setAsked(true))}
      {asked && (
        <Confirm
          title={`${t('disconnect')}: ${row.name}`}
          question={linksPhone(row.provider) ? tSession('askUnlink') : t('askDisconnect')}
          verb={t('disconnect')}
          refused={absent}
          onClose={() => setAsked(false)}
          onConfirm={() => api.connections.stop({ params }).then(onTurned)}
        />
      )}
    </span>
  )
}
