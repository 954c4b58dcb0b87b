import { Button, Checkbox, DialogBody, DialogFooter, ProgressBar } from '@blueprintjs/core'
import { useEffect, useState } from 'react'
import { useLanguage, useWords } from '#web/i18n.ts'
import { type Gathered, gather } from '#web/message/paper/gather.ts'
import { Paper } from '#web/message/paper/Paper.tsx'
import { paperWords } from '#web/message/paper/words.ts'
import dialog from '#web/ui/Dialog.module.css'
import { Dialog } from '#web/ui/Dialog.tsx'
import { useKeys } from '#web/ui/keys.ts'
import { ErrorView } from '#web/ui/states.tsx'
import { uiWords } from '#web/ui/words.ts'
import type { DialogProps } from './dialog.ts'

type State = { step: 'gathers'; done: number; all: number } | { step: 'failed'; error: unknown } | { step: 'ready'; of: Gathered }
const begins: State = { step: 'gathers', done: 0, all: 0 }
/** Time to wait for pictures. */
const timeoutMs = 10_000

/** Loads the whole conversation and opens the print dialog of the browser; closing cancels it. */
export function PrintDialog({ of: { ticket }, onClose }: DialogProps<'print'>) {
  const t = useWords(paperWords)
  const tUi = useWords(uiWords)
  const language = useLanguage()
  const [state, setState] = useState<State>(begins)
  const [earlier, setEarlier] = useState(false)
  const [notes, setNotes] = useState(true)
  const [turn, setTurn] = useState(0)
  const [arrived, setArrived] = useState(0)
  const [patient, setPatient] = useState(true)
  const restart = () => {
    setState(begins)
    setArrived(0)
    setPatient(true)
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: another turn loads again
  useEffect(() => {
    const giving = new AbortController()
    const { signal } = giving
    const update = (state: State) => !signal.aborted && setState(state)
    gather(ticket.id, { earlier, signal, progress: (done, all) => update({ step: 'gathers', done, all }) }).then(
      (of) => update({ step: 'ready', of }),
      (error: unknown) => update({ step: 'failed', error }),
    )
    return () => giving.abort()
  }, [ticket.id, earlier, turn])
  const of = state.step === 'ready' ? state.of : null
  useEffect(() => {
    if (!of) return
    const timer = setTimeout(() => setPatient(false), timeoutMs)
    return () => clearTimeout(timer)
  }, [of])

  const count = (n: number) => new Intl.NumberFormat(language).format(n)
  const hidden = of ? of.messages.filter(({ isPrivate }) => isPrivate).length + of.notes.length : 0
  const pictures = of ? of.messages.filter((row) => row.mediaType === 'image' && row.mediaUrl && !row.isDeleted).length : 0
  const messageCount = of ? (notes ? of.messages : of.messages.filter(({ isPrivate }) => !isPrivate)).length : 0
  const waits = patient && arrived < pictures
  const print = () => {
    const before = document.title
    document.title = t('fileName', { name: ticket.contact.name, id: ticket.id }) // the browser's file name
    window.addEventListener('afterprint', () => Object.assign(document, { title: before }), { once: true })
    window.print()
  }
  const disabled = !of || messageCount === 0 || waits
  useKeys(t('title'), [{ keys: 'mod+p', label: t('print'), typing: true, run: () => !disabled && print() }])
  return (
    <Dialog isOpen title={`${t('title')} · ${ticket.contact.name}`} onClose={onClose}>
      <DialogBody>
        {state.step === 'failed' && (
          <ErrorView
            error={state.error}
            onRetry={() => {
              restart()
              setTurn((n) => n + 1)
            }}
          />
        )}
        {state.step === 'gathers' && (
          <div role="status">
            <p className={dialog.text}>
              {t('gathering')}{' '}
              {state.all > 0 && <span className="nums">{t('gathered', { done: count(state.done), all: count(state.all) })}</span>}
            </p>
            <ProgressBar intent="primary" {...(state.all > 0 && { value: state.done / state.all })} />
          </div>
        )}
        {of && (
          <>
            <p className={dialog.text} role="status">
              {waits
                ? t('pictures', { done: count(arrived), all: count(pictures) })
                : messageCount === 0
                  ? t('nothing')
                  : messageCount === 1
                    ? t('readyOne')
                    : t('ready', { n: count(messageCount) })}
            </p>
            {waits && <ProgressBar intent="primary" value={arrived / pictures} />}
            {hidden > 0 && (
              <>
                <Checkbox
                  checked={notes}
                  label={t('withNotes', { n: count(hidden) })}
                  onChange={({ currentTarget }) => setNotes(currentTarget.checked)}
                />
                <p className={dialog.text}>{t('notesHint')}</p>
              </>
            )}
            {of.earlier > 0 && (
              <Checkbox
                checked={earlier}
                label={t('withEarlier', { n: count(of.earlier) })}
                onChange={({ currentTarget }) => {
                  restart()
                  setEarlier(currentTarget.checked)
                }}
              />
            )}
            <Paper ticket={ticket} of={of} notes={notes} earlier={earlier} patient={patient} onPicture={() => setArrived((n) => n + 1)} />
          </>
        )}
      </DialogBody>
      <DialogFooter
        actions={
          <>
            <Button text={tUi('cancel')} onClick={onClose} />
            <Button intent="primary" text={t('print')} disabled={disabled} onClick={print} />
          </>
        }
      />
    </Dialog>
  )
}
