import { Button } from '@blueprintjs/core'
import { useAtomValue, useSetAtom } from 'jotai'
import { channels } from '#domain/channel/channels.ts'
import { answering } from '#domain/channel/rules.ts'
import { hourMs } from '#domain/duration/rules.ts'
import type { TicketRow } from '#domain/ticket/contract.ts'
import { useLanguage, useWords } from '#web/i18n.ts'
import { dialogAtom } from '#web/ticket/atoms.ts'
import { age, date, dayOf, hour, today } from '#web/ui/moment.ts'
import { nowAtom } from '#web/ui/now.ts'
import css from './AnswerWindow.module.css'
import { composerWords } from './words.ts'

const near = 2 * hourMs
/** Whether the channel accepts an answer now. The window opens as soon as the contact writes. */
export const useAnswering = (ticket: TicketRow) => answering(ticket, useAtomValue(nowAtom))

/** Remaining time for answers: always on pages and Instagram (R-INBOX-14), elsewhere when it ends soon or has ended. The draft stays in the field. */
export function AnswerWindow({ ticket, kept }: { ticket: TicketRow; kept: boolean }) {
  const t = useWords(composerWords)
  const language = useLanguage()
  const setDialog = useSetAtom(dialogAtom)
  const now = useAtomValue(nowAtom)
  const state = useAnswering(ticket)
  if (state.is === 'closed') {
    const { window } = channels[ticket.channel]
    const why = ticket.heardAt === null ? 'windowNever' : window?.templates ? 'windowDay' : 'windowWeek'
    return (
      <div className={css.window} data-part="window" data-closed="">
        <p>
          {t(why)} {t(window?.templates ? 'windowTemplate' : 'windowWakes')} {kept && t('windowKept')}
        </p>
        {window?.templates && (
          <Button
            size="small"
            variant="outlined"
            intent="primary"
            text={t('chooseTemplate')}
            onClick={() => setDialog({ kind: 'template', ticket })}
          />
        )}
      </div>
    )
  }
  const { until } = state
  const end = until === null ? '' : new Date(until).toISOString()
  const at = end !== '' && dayOf(end) === today() ? hour(end, language) : end && `${date(end, language)} ${hour(end, language)}`
  const left = end && age(end, language, new Date(now))
  const closing = until !== null && until - now < near && (state.is === 'person' || channels[ticket.channel].window?.templates)
  if (closing) return <p className={css.note}>{t('windowCloses', { at, left })}</p>
  if (state.is === 'person') return <p className={css.note}>{t('windowPerson', { at })}</p>
  const { name: channel, window } = channels[ticket.channel]
  if (!window?.isAlwaysShown) return null
  return (
    <p className={css.note} data-part="window-left">
      {t('windowPolicy', { channel })} {t('windowEnds', { at, left })}
    </p>
  )
}
