import { Button, DialogBody, DialogFooter, Spinner } from '@blueprintjs/core'
import { useAtomValue } from 'jotai'
import { useEffect, useEffectEvent, useState } from 'react'
import { providerOf } from '#domain/channel/channels.ts'
import type { Connection } from '#domain/connection/contract.ts'
import { ApiError, api } from '#web/api.ts'
import { wholeNumber } from '#web/contact/phone.ts'
import { translate, useWords } from '#web/i18n.ts'
import { useViewer } from '#web/session.ts'
import { useAsyncAction } from '#web/ui/async-action.ts'
import { Dialog } from '#web/ui/Dialog.tsx'
import { toast, toastFailure } from '#web/ui/toaster.ts'
import { uiWords } from '#web/ui/words.ts'
import { CodePicture } from './CodePicture.tsx'
import css from './Connections.module.css'
import { codeWords } from './code-words.ts'
import { connectionList } from './list.ts'
import { outageWords } from './outage-words.ts'
import { Status } from './Status.tsx'
import { NumberField, TypedCode } from './TypedCode.tsx'
import { connectionWords } from './words.ts'

/** Whether the dialog shows a code or waits for one. An expired code can be renewed. */
const awaitsCode = ({ status, reason }: Connection) =>
  ['qrcode', 'PAIRING', 'TIMEOUT'].includes(status) || (status === 'OPENING' && reason !== null)

/** Shows the QR code. It reloads whenever the connection changes and closes when a phone is linked (R-CONN-03). */
export function CodeDialog({ id, onClose }: { id: number; onClose: () => void }) {
  const t = useWords(connectionWords)
  const { phoneCountry } = useViewer()
  const tCode = useWords(codeWords)
  const tUi = useWords(uiWords)
  const act = useAsyncAction()
  const live = useAtomValue(connectionList.lists('').all).find((row) => row.id === id)
  const [connection, setConnection] = useState<Connection | null>(null)
  const [turn, setTurn] = useState(0)
  /** The phone number for a typed code; null while a QR code is shown. */
  const [number, setNumber] = useState<string | null>(null)
  const [wrong, setWrong] = useState(false)
  const removed = ({ code }: ApiError) => {
    if (code === 'ERR_NO_WAPP_FOUND') {
      toast(tCode('wasRemoved', { name: connection?.name ?? '' }), 'warning')
      onClose()
    }
    return code === 'ERR_NO_WAPP_FOUND'
  }
  const onRefused = useEffectEvent((error: unknown) => {
    if (!(error instanceof ApiError && removed(error))) toastFailure(error)
  })
  const stands = `${turn} ${live?.status} ${live?.updatedAt}`
  useEffect(() => {
    if (stands === '') return
    api.connections.find({ params: { id }, query: {} }).then(
      (found) => {
        if (awaitsCode(found)) return setConnection(found)
        if (found.status === 'CONNECTED') toast(translate(connectionWords, 'linked', { name: found.name }))
        else if (found.reason === 'TAKEN') toast(`${found.name}: ${translate(outageWords, found.reason)}`, 'danger')
        onClose()
      },
      (error) => onRefused(error),
    )
  }, [id, stands, onClose])
  if (!connection) return null
  const real = !providerOf(connection.provider)?.simulated
  const askForOne = async () => {
    const whole = wholeNumber(number ?? '', phoneCountry)
    setWrong(whole === null)
    if (whole === null) return
    await act(
      async () => {
        setConnection(await api.connections.pair({ params: { id }, body: { number: `+${whole}` } }))
        setNumber(null)
      },
      { refused: removed },
    )()
  }
  const toRead = () => void act(async () => setConnection(await api.connections.renew({ params: { id } })), { refused: removed })()
  if (number !== null)
    return (
      <Dialog isOpen title={t('codeTitle', { name: connection.name })} onClose={onClose} size="small">
        <form
          onSubmit={(event) => {
            event.preventDefault()
            void askForOne()
          }}
        >
          <DialogBody>
            <NumberField value={number} onChange={setNumber} wrong={wrong} />
            {connection.enableImportMessage && (
              <p role="note" className={css.foreign}>
                {tCode('importsLess')}
              </p>
            )}
          </DialogBody>
          <DialogFooter
            actions={
              <>
                <Button text={tCode('byPicture')} onClick={() => setNumber(null)} />
                <Button type="submit" intent="primary" text={tCode('ask')} loading={act.pending} />
              </>
            }
          />
        </form>
      </Dialog>
    )
  return (
    <Dialog isOpen title={t('codeTitle', { name: connection.name })} onClose={onClose} size="small">
      <DialogBody>
        {connection.pairing?.code ? <TypedCode of={connection.pairing} /> : <p>{t(hintOf(connection))}</p>}
        {connection.status === 'qrcode' && !real && (
          <code className={css.code} data-part="qrcode">
            {connection.qrcode}
          </code>
        )}
        {connection.status === 'qrcode' && real && connection.qrcode !== '' && <CodePicture code={connection.qrcode} />}
        {isComing(connection) && (
          <div className={css.coming}>
            <Spinner />
          </div>
        )}
        <div aria-live="polite">
          <Status of={connection} />
        </div>
        {real && connection.status !== 'PAIRING' && (
          <Button
            className={css.other!}
            variant="minimal"
            size="small"
            text={tCode(connection.pairing ? 'byPicture' : 'byNumber')}
            onClick={connection.pairing ? toRead : () => setNumber(connection.number === null ? '' : `+${connection.number}`)}
          />
        )}
      </DialogBody>
      <DialogFooter
        actions={
          <>
            <Button text={tUi('cancel')} onClick={onClose} />
            {real && connection.status !== 'PAIRING' && (
              <Button
                text={t('newCode')}
                intent={connection.status === 'TIMEOUT' ? 'primary' : 'none'}
                loading={act.pending}
                onClick={connection.pairing ? () => setNumber(`+${connection.pairing!.number}`) : toRead}
              />
            )}
            {!real && (
              <Button
                intent="primary"
                text={t('sandboxScan')}
                loading={act.pending}
                onClick={() =>
                  void act(
                    async () => {
                      await api.sandbox.scan({ params: { connectionId: id } })
                      setTurn(turn + 1) // a connection of another company sends no live updates
                    },
                    { refused: removed },
                  )()
                }
              />
            )}
          </>
        }
      />
    </Dialog>
  )
}

const isComing = ({ status, qrcode, pairing }: Connection) =>
  status === 'PAIRING' || status === 'OPENING' || (status === 'qrcode' && qrcode === '' && !pairing?.code)

function hintOf({ provider, status, qrcode }: Connection) {
  if (providerOf(provider)?.simulated) return 'codeHint'
  if (status === 'TIMEOUT') return 'codeExpired'
  if (status === 'OPENING') return 'codeUnreachable'
  if (status === 'PAIRING') return 'codeRead'
  return qrcode === '' ? 'codeComing' : 'codeSteps'
}
