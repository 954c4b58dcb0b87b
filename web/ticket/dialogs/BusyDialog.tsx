import { Button, DialogBody, DialogFooter } from '@blueprintjs/core'
import { useWords } from '#web/i18n.ts'
import { AgentAvatar } from '#web/ticket/AgentAvatar.tsx'
import { ticketWords } from '#web/ticket/words.ts'
import { Avatar } from '#web/ui/Avatar.tsx'
import { Chip } from '#web/ui/Chip.tsx'
import dialog from '#web/ui/Dialog.module.css'
import { Dialog } from '#web/ui/Dialog.tsx'
import type { DialogProps } from './dialog.ts'
import dialogs from './dialogs.module.css'

/** Names the agent who was first, and the queue. */
export function BusyDialog({ of: { userId, user, queue }, onClose }: DialogProps<'busy'>) {
  const t = useWords(ticketWords)
  const name = user?.name ?? t('noUser')
  const place = queue?.name ?? t('noQueue')
  return (
    <Dialog isOpen title={t('busyTitle')} onClose={onClose} size="small" role="alertdialog">
      <DialogBody>
        <p className={dialog.text}>{t('busyText', { user: name, queue: place })}</p>
        <p className={dialogs.busyWho}>
          {userId ? <AgentAvatar id={userId} name={name} size={32} /> : <Avatar name={name} size={32} />} <b>{name}</b>{' '}
          <Chip name={place} color={queue?.color ?? '#8b93a1'} />
        </p>
      </DialogBody>
      <DialogFooter actions={<Button autoFocus intent="primary" text={t('understood')} onClick={onClose} />} />
    </Dialog>
  )
}
