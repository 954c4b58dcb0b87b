import { Button, DialogBody, DialogFooter, Spinner } from '@blueprintjs/core'
import { useAtomValue } from 'jotai'
import { type FormEvent, useEffect, useEffectEvent, useState } from 'react'
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

/** The connection that is being linked. It reloads on each change and reports when a phone is linked (R-CONN-03). */
function useLinking(id: number, onClose: () => void) {
  const tCode = useWords(codeWords)
  const live = useAtomValue(connectionList.lists('').all).find((row) => row.id === id)
  const [connection, setConnection] = useState<Connection | null>(null)
  const [turn, setTurn] = useState(0)
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
  return { connection, setConnection, removed, reload: () => setTurn(turn + 1) }
}

/** Shows the QR code, or asks for the number of a typed code. It closes when a phone is linked. */
export function CodeDialog({ id, onClose }: { id: number; onClose: () => void }) {
  const t = useWords(connectionWords)
  const tCode = useWords(codeWords)
  const act = useAsyncAction()
  const { connection, setConnection, removed, reload } = useLinking(id, onClose)
  /** The phone number for a typed code; null while a QR code is shown. */
  const [number, setNumber] = useState<string | null>(null)
  if (!connection) return null
  const real = !providerOf(connection.provider)?.simulated
  const { pairing } = connection
  const run = (work: () => Promise<unknown>) => act(work, { refused: removed })()
  const showPicture = () => void run(async () => setConnection(await api.connections.renew({ params: { id } })))
  const title = t('codeTitle', { name: connection.name })
  if (number !== null)
    return (
      <NumberDialog
        {...{ title, number, onClose, onChange: setNumber, busy: act.pending, importsLess: connection.enableImportMessage }}
        onAsk={(whole) =>
          run(async () => {
            setConnection(await api.connections.pair({ params: { id }, body: { number: `+${whole}` } }))
            setNumber(null)
          })
        }
      />
    )
  return (
    <Dialog isOpen title={title} onClose={onClose} size="small">
      <DialogBody>
        <Code of={connection} real={real} />
        {real && connection.status !== 'PAIRING' && (
          <Button
            className={css.other!}
            variant="minimal"
            size="small"
            text={tCode(pairing ? 'byPicture' : 'byNumber')}
            onClick={pairing ? showPicture : () => setNumber(connection.number === null ? '' : `+${connection.number}`)}
          />
        )}
      </DialogBody>
      <CodeButtons
        {...{ connection, real, onClose, busy: act.pending }}
        onRenew={pairing ? () => setNumber(`+${pairing.number}`) : showPicture}
        onScan={() =>
          void run(async () => {
            await api.sandbox.scan({ params: { connectionId: id } })
            reload() // a connection of another company sends no live updates
          })
        }
      />
    </Dialog>
  )
}

/** Asks for the phone number that a typed code is sent to. */
function NumberDialog(of: {
  title: string
  number: string
  importsLess: boolean
  busy: boolean
  onChange: (number: string | null) => void
  onAsk: (whole: string) => Promise<unknown>
  onClose: () => void
}) {
  const tCode = useWords(codeWords)
  const { phoneCountry } = useViewer()
  const [wrong, setWrong] = useState(false)
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault()
    const whole = wholeNumber(of.number, phoneCountry)
    setWrong(whole === null)
    if (whole !== null) void of.onAsk(whole)
  }
  return (
    <Dialog isOpen title={of.title} onClose={of.onClose} size="small">
      <form onSubmit={handleSubmit}>
        <DialogBody>
          <NumberField value={of.number} onChange={of.onChange} wrong={wrong} />
          {of.importsLess && (
            <p role="note" className={css.foreign}>
              {tCode('importsLess')}
            </p>
          )}
        </DialogBody>
        <DialogFooter
          actions={
            <>
              <Button text={tCode('byPicture')} onClick={() => of.onChange(null)} />
              <Button type="submit" intent="primary" text={tCode('ask')} loading={of.busy} />
            </>
          }
        />
      </form>
    </Dialog>
  )
}

/** The code to read or type, and the state of the connection. */
function Code({ of: connection, real }: { of: Connection; real: boolean }) {
  const t = useWords(connectionWords)
  const { pairing, status, qrcode } = connection
  return (
    <>
      {pairing?.code ? <TypedCode of={pairing} /> : <p>{t(hintOf(connection))}</p>}
      {status === 'qrcode' && !real && (
        <code className={css.code} data-part="qrcode">
          {qrcode}
        </code>
      )}
      {status === 'qrcode' && real && qrcode !== '' && <CodePicture code={qrcode} />}
      {isComing(connection) && (
        <div className={css.coming}>
          <Spinner />
        </div>
      )}
      <div aria-live="polite">
        <Status of={connection} />
      </div>
    </>
  )
}

function CodeButtons({
  connection: { status },
  real,
  busy,
  onRenew,
  onScan,
  onClose,
}: {
  connection: Connection
  real: boolean
  busy: boolean
  onRenew: () => void
  onScan: () => void
  onClose: () => void
}) {
  const t = useWords(connectionWords)
  const tUi = useWords(uiWords)
  return (
    <DialogFooter
      actions={
        <>
          <Button text={tUi('cancel')} onClick={onClose} />
          {real && status !== 'PAIRING' && (
            <Button text={t('newCode')} intent={status === 'TIMEOUT' ? 'primary' : 'none'} loading={busy} onClick={onRenew} />
          )}
          {!real && <Button intent="primary" text={t('sandboxScan')} loading={busy} onClick={onScan} />}
        </>
      }
    />
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
