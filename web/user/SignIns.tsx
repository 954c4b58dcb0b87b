import { DialogBody } from '@blueprintjs/core'
import { useAtomValue, useSetAtom } from 'jotai'
import { useState } from 'react'
import { api } from '#web/api.ts'
import { useWords } from '#web/i18n.ts'
import { kindWords, securityWords } from '#web/security/words.ts'
import { Dialog } from '#web/ui/Dialog.tsx'
import { createRemoteAtom } from '#web/ui/remote-atom.ts'
import { ErrorView, Skeleton } from '#web/ui/states.tsx'
import { Time } from '#web/ui/Time.tsx'
import css from './SignIns.module.css'
import { userWords } from './words.ts'

/** When and from where the user's own account was used. */
export function SignIns({ onClose }: { onClose: () => void }) {
  const t = useWords(userWords)
  const tSecurity = useWords(securityWords)
  const tKind = useWords(kindWords)
  const [loaded] = useState(() => createRemoteAtom(async () => (await api.session.signIns()).signIns))
  const now = useAtomValue(loaded)
  const reload = useSetAtom(loaded.reload)
  return (
    <Dialog isOpen title={t('signIns')} onClose={onClose}>
      <DialogBody>
        <p className={css.hint}>{t('signInsHint')}</p>
        {now.state === 'loading' && <Skeleton rows={6} />}
        {now.state === 'failed' && <ErrorView error={now.error} onRetry={reload} />}
        {now.state === 'ready' && (
          <table className={css.table} data-part="sign-ins">
            <thead>
              <tr>
                <th>{tSecurity('at')}</th>
                <th>{tSecurity('kind')}</th>
                <th>{tSecurity('address')}</th>
              </tr>
            </thead>
            <tbody>
              {now.value.map(({ at, kind, address, isCurrent }) => (
                <tr key={`${at} ${kind}`}>
                  <td>
                    <Time at={at} />
                  </td>
                  <td>
                    {tKind(kind)}
                    {isCurrent && <small> · {t('thisSession')}</small>}
                  </td>
                  <td className="nums">{address ?? '—'}</td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </DialogBody>
    </Dialog>
  )
}
