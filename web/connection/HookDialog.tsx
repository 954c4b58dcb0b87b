import { Button, DialogBody, DialogFooter } from '@blueprintjs/core'
import type { Connection } from '#domain/connection/contract.ts'
import { useWords } from '#web/i18n.ts'
import { Dialog } from '#web/ui/Dialog.tsx'
import { Hook } from './CloudFields.tsx'
import { sessionWords } from './session-words.ts'

/** A new Cloud API number receives nothing until its webhook is entered at Meta, so the address is shown at once. */
export function HookDialog({ row: { name, account }, onClose }: { row: Connection; onClose: () => void }) {
  const t = useWords(sessionWords)
  return (
    <Dialog isOpen title={t('hookTitle', { name })} onClose={onClose} size="small">
      <DialogBody>
        <p>{t('hookLead')}</p>
        <Hook hook={account!.hook} />
      </DialogBody>
      <DialogFooter actions={<Button intent="primary" text={t('hookDone')} onClick={onClose} />} />
    </Dialog>
  )
}
