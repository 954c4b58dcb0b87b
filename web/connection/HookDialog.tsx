import { Button, DialogBody, DialogFooter } from '@blueprintjs/core'
import type { Connection } from '#domain/connection/contract.ts'
import { useWords } from '#web/i18n.ts'
import { Dialog } from '#web/ui/Dialog.tsx'
import { Hook } from './CloudFields.tsx'
import { sessionWords } from './session-words.ts'

/** A new number of the Cloud API hears nothing before its address was entered at Meta: said at once, as a code is shown to be read. */
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
