import { Button } from '@blueprintjs/core'
import { Paperclip } from '@blueprintjs/icons'
import { useAtomValue, useSetAtom } from 'jotai'
import { type KeyboardEvent, useEffect, useEffectEvent, useState } from 'react'
import { type QuickReplyRow, seesReply } from '#domain/quick-reply/contract.ts'
import { searchable } from '#domain/text/rules.ts'
import type { TicketRow } from '#domain/ticket/contract.ts'
import { filled } from '#domain/ticket/rules.ts'
import { useWords } from '#web/i18n.ts'
import { messageWords } from '#web/message/words.ts'
import { allReplies, knownOf } from '#web/quick-reply/replies.ts'
import { useViewer } from '#web/session.ts'
import css from './QuickReplies.module.css'

const most = 8

/** R-MSG-04; while the list is open it handles the arrow and Enter keys of the text field. */
export function QuickReplies(of: {
  sought: string
  ticket: TicketRow
  /** Enter was pressed before the list had loaded: the first reply is chosen as soon as it arrives. */
  wished: boolean
  lend: (keys: ((event: KeyboardEvent) => boolean) | null) => void
  onChoose: (body: string, reply: QuickReplyRow) => void
}) {
  const t = useWords(messageWords)
  const viewer = useViewer()
  const rows = useAtomValue(allReplies.all)
  const state = useAtomValue(allReplies.state)
  const reload = useSetAtom(allReplies.reload)
  const [at, setAt] = useState(0)
  const sought = searchable(of.sought)
  const found = rows
    .filter((row) => seesReply(viewer, row) && (searchable(row.shortcode).includes(sought) || searchable(row.message).includes(sought)))
    .slice(0, most)
  const here = Math.min(at, Math.max(0, found.length - 1))
  const choose = (row: QuickReplyRow) => of.onChoose(filled(row.message, knownOf(of.ticket, viewer)), row) // R-MSG-15
  useEffect(() => {
    of.lend((event) => {
      const row = found[here]
      if (!row) return false // the text below explains why nothing can be chosen yet; the field sends nothing meanwhile
      if (event.key === 'ArrowDown') setAt((here + 1) % found.length)
      else if (event.key === 'ArrowUp') setAt((here - 1 + found.length) % found.length)
      else if ((event.key === 'Enter' && !event.shiftKey) || event.key === 'Tab') choose(row)
      else return false
      event.preventDefault()
      return true
    })
    return () => of.lend(null)
  })
  const [first] = found
  const ready = useEffectEvent(() => first && choose(first))
  const { wished } = of
  useEffect(() => {
    if (wished && state === 'ready') ready()
  }, [wished, state])
  if (found.length === 0)
    return (
      <div className={css.replies}>
        <p className={css.none} role="status" data-asked={wished || undefined}>
          {t(state === 'loading' ? 'quickLoading' : state === 'failed' ? 'quickFailed' : 'noQuickReplies')} <span>{t('quickEscape')}</span>
        </p>
        {state === 'failed' && <Button size="small" text={t('again')} onClick={() => void reload()} />}
      </div>
    )
  return (
    <div className={css.replies} role="listbox" aria-label={t('quickReplies')}>
      {found.map((row, index) => (
        <button
          key={row.id}
          type="button"
          role="option"
          aria-selected={index === here}
          onMouseDown={(event) => event.preventDefault()}
          // a list that opens under a resting pointer keeps its first choice
          onMouseMove={({ movementX, movementY }) => (movementX !== 0 || movementY !== 0) && setAt(index)}
          onClick={() => choose(row)}
        >
          <b>/{row.shortcode}</b> <span className={css.text}>{row.message}</span>
          {row.mediaName && (
            <span className={css.file} title={row.mediaName}>
              <Paperclip size={12} title={t('attachments')} /> {row.mediaName}
            </span>
          )}
        </button>
      ))}
    </div>
  )
}
