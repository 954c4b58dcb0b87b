import { Button, Callout, DialogBody, DialogFooter, InputGroup } from '@blueprintjs/core'
import { useEffect, useState } from 'react'
import type { UserRow } from '#domain/user/contract.ts'
import { api } from '#web/api.ts'
import { useWords } from '#web/i18n.ts'
import { Dialog } from '#web/ui/Dialog.tsx'
import { toast, toastFailure } from '#web/ui/toaster.ts'
import { uiWords } from '#web/ui/words.ts'
import { userWords } from './words.ts'

type Link = Awaited<ReturnType<typeof api.users.invite>>

/** The link for a first or new password: mailed, or shown here to pass on (A-USER-04). */
export function InviteDialog({
  user: { id, name, email },
  onClose,
}: {
  user: Pick<UserRow, 'id' | 'name' | 'email'>
  onClose: () => void
}) {
  const t = useWords(userWords)
  const tUi = useWords(uiWords)
  const [made, setMade] = useState<Link | null>(null)
  useEffect(() => {
    api.users.invite({ params: { id } }).then(setMade, (error) => {
      toastFailure(error)
      onClose()
    })
  }, [id, onClose])
  if (!made) return null
  const link = made.link && new URL(made.link, location.origin).href
  const copy = async () => {
    await navigator.clipboard.writeText(link!)
    toast(tUi('copied'))
  }
  return (
    <Dialog isOpen title={t('inviteTitle', { name })} onClose={onClose}>
      <DialogBody>
        {made.failed !== null && <Callout intent="warning">{t('inviteFailed', { reason: made.failed })}</Callout>}
        <p>{t(made.sent ? 'inviteSent' : 'invitePass', { name, email })}</p>
        {link && (
          <InputGroup
            readOnly
            fill
            aria-label={t('inviteLink')}
            value={link}
            onFocus={({ target }) => target.select()}
            rightElement={<Button variant="minimal" text={tUi('copy')} onClick={() => void copy()} />}
          />
        )}
      </DialogBody>
      <DialogFooter actions={<Button text={tUi('close')} onClick={onClose} />} />
    </Dialog>
  )
}
