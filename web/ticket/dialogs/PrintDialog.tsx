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
  const [notes, setNotes] = useState(true)
  const { state, earlier, setEarlier, retry, pictures } = usePaper(ticket.id)
  const of = state.step === 'ready' ? state.of : null
  const messageCount = of ? (notes ? of.messages : of.messages.filter(({ isPrivate }) => !isPrivate)).length : 0
  const print = () => {
    const before = document.title
    document.title = t('fileName', { name: ticket.contact.name, id: ticket.id }) // the browser's file name
    window.addEventListener('afterprint', () => Object.assign(document, { title: before }), { once: true })
    window.print()
  }
  const disabled = !of || messageCount === 0 || pictures.areAwaited
  useKeys(t('title'), [{ keys: 'mod+p', label: t('print'), typing: true, run: () => !disabled && print() }])
  return (
    <Dialog isOpen title={`${t('title')} · ${ticket.contact.name}`} onClose={onClose}>
      <DialogBody>
        {state.step === 'failed' && <ErrorView error={state.error} onRetry={retry} />}
        {state.step === 'gathers' && <Progress {...state} />}
        {of && (
          <>
            <Readiness messageCount={messageCount} pictures={pictures} />
            <Extent of={of} notes={notes} onNotes={setNotes} earlier={earlier} onEarlier={setEarlier} />
            <Paper ticket={ticket} of={of} notes={notes} earlier={earlier} patient={pictures.isPatient} onPicture={pictures.onArrival} />
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

/** Gathers the conversation, with the customer's earlier tickets if wanted, and counts the pictures that have arrived. */
function usePaper(ticketId: number) {
  const [state, setState] = useState<State>(begins)
  const [earlier, setEarlier] = useState(false)
  const [turn, setTurn] = useState(0)
  const pictures = usePictures(state.step === 'ready' ? state.of : null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another turn loads again
  useEffect(() => {
    const giving = new AbortController()
    const { signal } = giving
    const update = (state: State) => !signal.aborted && setState(state)
    gather(ticketId, { earlier, signal, progress: (done, all) => update({ step: 'gathers', done, all }) }).then(
      (of) => update({ step: 'ready', of }),
      (error: unknown) => update({ step: 'failed', error }),
    )
    return () => giving.abort()
  }, [ticketId, earlier, turn])
  const restart = () => {
    setState(begins)
    pictures.restart()
  }
  return {
    state,
    pictures,
    earlier,
    setEarlier(is: boolean): void {
      restart()
      setEarlier(is)
    },
    retry(): void {
      restart()
      setTurn((n) => n + 1)
    },
  }
}

type Pictures = { all: number; arrived: number; areAwaited: boolean }
/** Waits for the pictures of the conversation, but not for ever. */
function usePictures(of: Gathered | null) {
  const [arrived, setArrived] = useState(0)
  const [isPatient, setIsPatient] = useState(true)
  useEffect(() => {
    if (!of) return
    const timer = setTimeout(() => setIsPatient(false), timeoutMs)
    return () => clearTimeout(timer)
  }, [of])
  const all = of ? of.messages.filter((row) => row.mediaType === 'image' && row.mediaUrl && !row.isDeleted).length : 0
  return {
    all,
    arrived,
    isPatient,
    areAwaited: isPatient && arrived < all,
    onArrival: () => setArrived((n) => n + 1),
    restart(): void {
      setArrived(0)
      setIsPatient(true)
    },
  }
}

function useCount(): (n: number) => string {
  const language = useLanguage()
  return (n) => new Intl.NumberFormat(language).format(n)
}

function Progress({ done, all }: { done: number; all: number }) {
  const t = useWords(paperWords)
  const count = useCount()
  return (
    <div role="status">
      <p className={dialog.text}>
        {t('gathering')} {all > 0 && <span className="nums">{t('gathered', { done: count(done), all: count(all) })}</span>}
      </p>
      <ProgressBar intent="primary" {...(all > 0 && { value: done / all })} />
    </div>
  )
}

function Readiness({ messageCount, pictures: { all, arrived, areAwaited } }: { messageCount: number; pictures: Pictures }) {
  const t = useWords(paperWords)
  const count = useCount()
  return (
    <>
      <p className={dialog.text} role="status">
        {areAwaited
          ? t('pictures', { done: count(arrived), all: count(all) })
          : messageCount === 0
            ? t('nothing')
            : messageCount === 1
              ? t('readyOne')
              : t('ready', { n: count(messageCount) })}
      </p>
      {areAwaited && <ProgressBar intent="primary" value={arrived / all} />}
    </>
  )
}

type ExtentProps = { of: Gathered; notes: boolean; onNotes: (is: boolean) => void; earlier: boolean; onEarlier: (is: boolean) => void }
/** What else is printed: internal notes, and the customer's earlier tickets. */
function Extent({ of, notes, onNotes, earlier, onEarlier }: ExtentProps) {
  const t = useWords(paperWords)
  const count = useCount()
  const hidden = of.messages.filter(({ isPrivate }) => isPrivate).length + of.notes.length
  return (
    <>
      {hidden > 0 && (
        <>
          <Checkbox
            checked={notes}
            label={t('withNotes', { n: count(hidden) })}
            onChange={({ currentTarget }) => onNotes(currentTarget.checked)}
          />
          <p className={dialog.text}>{t('notesHint')}</p>
        </>
      )}
      {of.earlier > 0 && (
        <Checkbox
          checked={earlier}
          label={t('withEarlier', { n: count(of.earlier) })}
          onChange={({ currentTarget }) => onEarlier(currentTarget.checked)}
        />
      )}
    </>
  )
}
