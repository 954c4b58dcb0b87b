import { Button, DialogBody, DialogFooter } from '@blueprintjs/core'
import { useAtomValue, useSetAtom } from 'jotai'
import { useState } from 'react'
import type { SignIn } from '#domain/session/contract.ts'
import { on } from '#domain/setting/contract.ts'
import { api } from '#web/api.ts'
import { useWords } from '#web/i18n.ts'
import { kindWords, securityWords } from '#web/security/words.ts'
import { useSettings } from '#web/session.ts'
import { useAsyncAction } from '#web/ui/async-action.ts'
import { Dialog } from '#web/ui/Dialog.tsx'
import { createRemoteAtom } from '#web/ui/remote-atom.ts'
import { ErrorView, Skeleton } from '#web/ui/states.tsx'
import { Time } from '#web/ui/Time.tsx'
import css from './SignIns.module.css'
import { userWords } from './words.ts'

/** When and from where the user's own account was used, and the end of the user's other sessions. */
export function SignIns({ onClose }: { onClose: () => void }) {
  const t = useWords(userWords)
  const [loaded] = useState(() => createRemoteAtom(() => api.session.signIns()))
  const now = useAtomValue(loaded)
  const reload = useSetAtom(loaded.reload)
  const hasSeveral = on(useSettings(), 'severalDevices')
  const act = useAsyncAction()
  const others = now.state === 'ready' ? now.value.others : 0
  const endOthers = async () => {
    await api.session.signOutOthers()
    await reload()
  }
  return (
    <Dialog isOpen title={t('signIns')} onClose={onClose}>
      <DialogBody>
        <p className={css.hint}>{t(hasSeveral ? 'severalSignInsHint' : 'signInsHint')}</p>
        {now.state === 'loading' && <Skeleton rows={6} />}
        {now.state === 'failed' && <ErrorView error={now.error} onRetry={reload} />}
        {now.state === 'ready' && <SignInTable of={now.value.signIns} />}
      </DialogBody>
      {others > 0 && (
        <DialogFooter
          actions={
            <Button
              text={t('signOutOthers', { n: others })}
              loading={act.pending}
              onClick={act(endOthers, { done: t('othersSignedOut') })}
            />
          }
        />
      )}
    </Dialog>
  )
}

function SignInTable({ of }: { of: SignIn[] }) {
  const t = useWords(userWords)
  const tSecurity = useWords(securityWords)
  const tKind = useWords(kindWords)
  return (
    <table className={css.table} data-part="sign-ins">
      <thead>
        <tr>
          <th>{tSecurity('at')}</th>
          <th>{tSecurity('kind')}</th>
          <th>{t('device')}</th>
          <th>{tSecurity('address')}</th>
        </tr>
      </thead>
      <tbody>
        {of.map(({ id, at, kind, address, device, isCurrent, isOpen }) => (
          <tr key={id}>
            <td>
              <Time at={at} />
            </td>
            <td>
              {tKind(kind)}
              {isCurrent && <small> · {t('thisSession')}</small>}
              {isOpen && !isCurrent && <small> · {t('openSession')}</small>}
            </td>
            <td>{device ?? '—'}</td>
            <td className="nums">{address ?? '—'}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
