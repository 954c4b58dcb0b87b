import { Button } from '@blueprintjs/core'
import { useAtomValue, useSetAtom, useStore } from 'jotai'
import type { MessageRow } from '#domain/message/contract.ts'
import type { TicketRow } from '#domain/ticket/contract.ts'
import { useWords } from '#web/i18n.ts'
import type { Collection } from '#web/live.ts'
import { brief } from '#web/message/bubble/in-words.ts'
import { type Overtaken, unseenSince } from '#web/message/outbox.ts'
import { filesOf, overtakenOf } from '#web/message/sending.ts'
import { messageWords } from '#web/message/words.ts'
import { useViewer } from '#web/session.ts'
import { Time } from '#web/ui/Time.tsx'
import { blank, modeFor } from './drafts.ts'
import { draftOf } from './early.ts'
import css from './Guard.module.css'

/**
 * A colleague answered while the agent was writing. Shows that answer above the draft; nothing is sent before the
 * agent decides.
 */
export function StaleReplyPrompt({
  overtaken,
  list,
  ticket,
  onSend,
}: {
  overtaken: Overtaken
  list: Collection<MessageRow>
  ticket: TicketRow
  onSend: () => void
}) {
  const t = useWords(messageWords)
  const viewer = useViewer()
  const store = useStore()
  const ids = useAtomValue(list.ids)
  const decide = useSetAtom(overtakenOf(ticket.id))
  const mode = modeFor(overtaken.item.isPrivate)
  const setDraft = useSetAtom(draftOf(ticket.uuid, mode))
  const setFiles = useSetAtom(filesOf(ticket.id, mode))
  const answers = ids
    .slice(-40)
    .map((id) => store.get(list.row(id)))
    .filter(
      (row) =>
        row.ticketId === ticket.id && row.fromMe && !row.isPrivate && row.user?.id !== viewer.id && row.revision > unseenSince(overtaken),
    )
  const name = answers.at(-1)?.user?.name ?? t('somebody')
  return (
    <section className={css.guard} role="alert" aria-label={t('guard', { name })}>
      <p className={css.title}>{t('guard', { name })}</p>
      <ul>
        {answers.map((row) => (
          <li key={row.id}>
            <b>{row.user?.name ?? t('system')}</b> <span>{brief(row.mediaType, row.body)}</span> <Time at={row.createdAt} as="hour" />
          </li>
        ))}
      </ul>
      <p className={css.text}>{t('guardText')}</p>
      <div className={css.actions}>
        <Button intent="primary" size="small" text={t('sendAnyway')} onClick={onSend} />
        <Button
          size="small"
          text={t('discard')}
          onClick={() => {
            setDraft(blank)
            setFiles([])
            decide(null)
          }}
        />
      </div>
    </section>
  )
}
