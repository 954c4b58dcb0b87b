import { Button, TextArea } from '@blueprintjs/core'
import { Trash } from '@blueprintjs/icons'
import { useAtom, useAtomValue, useSetAtom } from 'jotai'
import { useRef, useState } from 'react'
import { isStored } from '#domain/answers.ts'
import type { NoteRow } from '#domain/note/contract.ts'
import { api } from '#web/api.ts'
import { useWords } from '#web/i18n.ts'
import { submitByEnter } from '#web/message/composer/submit.ts'
import { addPendingChange } from '#web/pending-changes.ts'
import { useViewer } from '#web/session.ts'
import { useAsyncAction } from '#web/ui/async-action.ts'
import { Confirm } from '#web/ui/Confirm.tsx'
import { createIdempotentRetry } from '#web/ui/idempotent-retry.ts'
import { ErrorView, Skeleton } from '#web/ui/states.tsx'
import { Time } from '#web/ui/Time.tsx'
import { toast } from '#web/ui/toaster.ts'
import { awaitNote, noteDraftOf, notesOf, notesTopic } from './atoms.ts'
import css from './Notes.module.css'
import { noteWords } from './words.ts'

const least = 2
/** It lasts as long as the page, because another drawer may retry the same note. */
const adds = createIdempotentRetry()

export function Notes({ ticketId, contactId }: { ticketId: number; contactId: number }) {
  const t = useWords(noteWords)
  const viewer = useViewer()
  const act = useAsyncAction()
  const list = notesOf({ ticketId, contactId })
  const rows = useAtomValue(list.all)
  const state = useAtomValue(list.state)
  const error = useAtomValue(list.error)
  const apply = useSetAtom(list.apply)
  const reload = useSetAtom(list.reload)
  const [text, setText] = useAtom(noteDraftOf(ticketId))
  const [tried, setTried] = useState(false)
  const [asked, setAsked] = useState<NoteRow | null>(null)
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
    <div className={css.notes}>
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
      {state === 'loading' && rows.length === 0 && <Skeleton rows={2} />}
      {state === 'failed' && rows.length === 0 && <ErrorView error={error} onRetry={reload} />}
      {state === 'ready' && rows.length === 0 && <p className={css.none}>{t('none')}</p>}
      <ul>
        {rows.map((row) => (
          <li key={row.id}>
            <p>{row.note}</p>
            <p className={css.foot}>
              <span>{row.user?.name}</span> <Time at={row.createdAt} />
              {(viewer.profile === 'admin' || row.user?.id === viewer.id) && (
                <Button
                  variant="minimal"
                  size="small"
                  icon={<Trash size={12} />}
                  aria-label={t('remove')}
                  title={t('remove')}
                  onClick={() => setAsked(row)}
                />
              )}
            </p>
          </li>
        ))}
      </ul>
      {asked && (
        <Confirm
          title={t('remove')}
          question={t('removeText', { text: asked.note.slice(0, 80) })}
          verb={t('remove')}
          onClose={() => setAsked(null)}
          onConfirm={async () => {
            const answer = await api.notes.remove({ params: { id: asked.id } })
            if (isStored(answer)) addPendingChange(notesTopic, { op: 'drop', id: asked.id }, () => false)
            apply([{ op: 'drop', id: asked.id }])
            toast(t('removed'))
          }}
        />
      )}
    </div>
  )
}
