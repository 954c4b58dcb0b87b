import { Button, TextArea } from '@blueprintjs/core'
import { Trash } from '@blueprintjs/icons'
import { useAtom, useAtomValue, useSetAtom } from 'jotai'
import { useRef, useState } from 'react'
import { isStored } from '#domain/answers.ts'
import type { NoteRow } from '#domain/note/contract.ts'
import { api } from '#web/api.ts'
import { useWords } from '#web/i18n.ts'
import { addPendingChange } from '#web/pending-changes.ts'
import { useViewer } from '#web/session.ts'
import { useAsyncAction } from '#web/ui/async-action.ts'
import { Confirm } from '#web/ui/Confirm.tsx'
import { Readable } from '#web/ui/Erased.tsx'
import { createIdempotentRetry } from '#web/ui/idempotent-retry.ts'
import { ErrorView, Skeleton } from '#web/ui/states.tsx'
import { submitByEnter } from '#web/ui/submit-by-enter.ts'
import { Time } from '#web/ui/Time.tsx'
import { toast } from '#web/ui/toaster.ts'
import { awaitNote, noteDraftOf, notesOf, notesTopic } from './atoms.ts'
import css from './Notes.module.css'
import { noteWords } from './words.ts'

const least = 2
/** It lasts as long as the page, because another drawer may retry the same note. */
const adds = createIdempotentRetry()

type Of = { ticketId: number; contactId: number }

export function Notes(of: Of) {
  const t = useWords(noteWords)
  const list = notesOf(of)
  const rows = useAtomValue(list.all)
  const state = useAtomValue(list.state)
  const error = useAtomValue(list.error)
  const reload = useSetAtom(list.reload)
  const [asked, setAsked] = useState<NoteRow | null>(null)
  return (
    <div className={css.notes}>
      <NewNote {...of} />
      {state === 'loading' && rows.length === 0 && <Skeleton rows={2} />}
      {state === 'failed' && rows.length === 0 && <ErrorView error={error} onRetry={reload} />}
      {state === 'ready' && rows.length === 0 && <p className={css.none}>{t('none')}</p>}
      <ul>
        {rows.map((row) => (
          <Note key={row.id} note={row} onRemove={() => setAsked(row)} />
        ))}
      </ul>
      {asked && <RemoveNote note={asked} of={of} onClose={() => setAsked(null)} />}
    </div>
  )
}

function NewNote({ ticketId, contactId }: Of) {
  const t = useWords(noteWords)
  const viewer = useViewer()
  const act = useAsyncAction()
  const apply = useSetAtom(notesOf({ ticketId, contactId }).apply)
  const [text, setText] = useAtom(noteDraftOf(ticketId))
  const [tried, setTried] = useState(false)
  const field = useRef<HTMLTextAreaElement>(null)
  const short = text.trim().length < least
  const add = act(
    async () => {
      const body = { note: text.trim(), ticketId, contactId }
      const answer = await adds(body, (commandId) => api.notes.create({ body }, { commandId }))
      if (!isStored(answer)) apply([{ op: 'put', row: answer }])
      else awaitNote(answer, { ...body, user: { id: viewer.id, name: viewer.name } })
      setText((now) => (now.trim() === body.note ? '' : now)) // text typed while the note is saved stays
      setTried(false)
    },
    { done: t('added') },
  )
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (short) setTried(true)
        else void add().then(() => field.current?.focus()) // the focused button disappears
      }}
    >
      <TextArea
        inputRef={field}
        fill
        autoResize
        rows={2}
        maxLength={5000}
        aria-label={t('write')}
        placeholder={t('write')}
        aria-invalid={tried && short}
        value={text}
        onChange={({ target }) => setText(target.value)}
        onKeyDown={submitByEnter}
      />
      {tried && short && (
        <p className={css.short} role="alert">
          {t('short')}
        </p>
      )}
      {text !== '' && <Button type="submit" size="small" intent="primary" text={t('add')} loading={act.pending} />}
    </form>
  )
}

function Note({ note: { note, user, createdAt }, onRemove }: { note: NoteRow; onRemove: () => void }) {
  const t = useWords(noteWords)
  const viewer = useViewer()
  return (
    <li>
      <p>
        <Readable text={note} />
      </p>
      <p className={css.foot}>
        <span>{user?.name}</span> <Time at={createdAt} />
        {(viewer.profile === 'admin' || user?.id === viewer.id) && (
          <Button
            variant="minimal"
            size="small"
            icon={<Trash size={12} />}
            aria-label={t('remove')}
            title={t('remove')}
            onClick={onRemove}
          />
        )}
      </p>
    </li>
  )
}

function RemoveNote({ note: { id, note }, of, onClose }: { note: NoteRow; of: Of; onClose: () => void }) {
  const t = useWords(noteWords)
  const apply = useSetAtom(notesOf(of).apply)
  return (
    <Confirm
      title={t('remove')}
      question={t('removeText', { text: note.slice(0, 80) })}
      verb={t('remove')}
      onClose={onClose}
      onConfirm={async () => {
        const answer = await api.notes.remove({ params: { id } })
        if (isStored(answer)) addPendingChange(notesTopic, { op: 'drop', id }, () => false)
        apply([{ op: 'drop', id }])
        toast(t('removed'))
      }}
    />
  )
}
