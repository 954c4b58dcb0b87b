import { Button, DialogBody, DialogFooter } from '@blueprintjs/core'
import { useAtomValue } from 'jotai'
import { useEffect, useState } from 'react'
import type { Connection } from '#domain/connection/contract.ts'
import { api } from '#web/api.ts'
import { useWords } from '#web/i18n.ts'
import { useAct } from '#web/ui/act.ts'
import { Dialog } from '#web/ui/Dialog.tsx'
import { toastFailure } from '#web/ui/toaster.ts'
import { uiWords } from '#web/ui/words.ts'
import css from './Connections.module.css'
import { connectionList } from './list.ts'
import { Status } from './Status.tsx'
import { connectionWords } from './words.ts'

/** The code that a phone reads; it is read again whenever the connection changes, and the dialog goes when there is none (R-CONN-03). */
export function CodeDialog({ id, onClose }: { id: number; onClose: () => void }) {
  const say = useWords(connectionWords)
  const ui = useWords(uiWords)
  const act = useAct()
  const live = useAtomValue(connectionList.lists('').all).find((row) => row.id === id)
  const [shown, show] = useState<Connection | null>(null)
  const [turn, again] = useState(0)
  const stands = `${turn} ${live?.status} ${live?.updatedAt}`
  useEffect(() => {
    if (stands === '') return
    api.connections.find({ params: { id }, query: {} }).then((found) => (found.qrcode === '' ? onClose() : show(found)), toastFailure)
  }, [id, stands, onClose])
  if (!shown) return null
  return (
    <Dialog isOpen title={say('codeTitle', { name: shown.name })} onClose={onClose} size="small">
      <DialogBody>
        <p>{say('codeHint')}</p>
        <code className={css.code} data-part="qrcode">
          {shown.qrcode}
        </code>
        <Status of={shown.status} />
      </DialogBody>
      <DialogFooter
        actions={
          <>
            <Button text={ui('cancel')} onClick={onClose} />
            {shown.provider === 'sandbox' && (
              <Button
                intent="primary"
                text={say('sandboxScan')}
                loading={act.pending}
                onClick={() =>
                  void act(async () => {
                    await api.sandbox.scan({ params: { connectionId: id } })
                    again(turn + 1) // another company's connection tells nothing by itself
                  })()
                }
              />
            )}
          </>
        }
      />
    </Dialog>
  )
}
