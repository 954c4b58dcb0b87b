import { Button, DialogBody, DialogFooter } from '@blueprintjs/core'
import { useAtomValue } from 'jotai'
import { useLocation } from 'wouter'
import { useWords } from '#web/i18n.ts'
import { brief } from '#web/message/bubble/in-words.ts'
import { useReason } from '#web/message/bubble/reason.ts'
import { troubleWords } from '#web/message/bubble/words.ts'
import { messageWords } from '#web/message/words.ts'
import { useAsyncAction } from '#web/ui/async-action.ts'
import { Dialog } from '#web/ui/Dialog.tsx'
import { useReturnFocus } from '#web/ui/returnFocus.ts'
import { Time } from '#web/ui/Time.tsx'
import { failure, toast } from '#web/ui/toaster.ts'
import { uiWords } from '#web/ui/words.ts'
import { dismiss, type Failed, failedAtom } from './failed.ts'
import { notSentWords } from './leaving-words.ts'
import css from './NotSentList.module.css'

/** Undelivered messages with recipient, reason and actions. The list closes when it is empty. */
export function NotSentList({ onLead, onClose }: { onLead: (one: Failed) => void; onClose: () => void }) {
  const t = useWords(notSentWords)
  const tUi = useWords(uiWords)
  useReturnFocus()
  const [, go] = useLocation()
  const { all, count } = useAtomValue(failedAtom)
  if (all.length === 0) return null
  const open = (one: Failed) => {
    onClose()
    go(`/tickets/${one.uuid}`)
    onLead(one)
  }
  return (
    <Dialog isOpen title={t('failedTitle')} onClose={onClose}>
      <DialogBody>
        <p className={css.lead}>{t('failedLead')}</p>
        <ul className={css.list}>
          {all.map((one) => (
            <One key={one.key} one={one} onOpen={() => open(one)} />
          ))}
          {count > all.length && <li className={css.more}>{t('failedMore', { n: count - all.length })}</li>}
        </ul>
      </DialogBody>
      <DialogFooter actions={<Button text={tUi('close')} onClick={onClose} />} />
    </Dialog>
  )
}

function One({ one, onOpen }: { one: Failed; onOpen: () => void }) {
  const t = useWords(notSentWords)
  const tMessage = useWords(messageWords)
  const tTrouble = useWords(troubleWords)
  const tUi = useWords(uiWords)
  const reason = useReason()
  const act = useAsyncAction()
  const words = one.by === 'channel' ? brief(one.message.mediaType, one.body) : unsentText(one.item)
  const why =
    one.by === 'server' ? failure(one.item.error) : one.message.failed !== null ? reason(one.message.failed) : tTrouble('uncertain')
  const discard = async (key: string) => (await import('#web/message/sending.ts')).out.discard(key)
  return (
    <li>
      <p className={css.head}>
        <b dir="auto">{one.to || `#${one.ticketId}`}</b> <Time at={one.at} />
      </p>
      <p className={css.words} dir="auto">
        {words}
      </p>
      <p className={css.why}>
        {why} {!one.inSight && t('failedAway')}
      </p>
      <div className={css.acts}>
        {one.inSight && <Button size="small" variant="outlined" text={t('open')} onClick={onOpen} />}
        {one.by === 'server' && one.body !== '' && (
          <Button
            size="small"
            variant="minimal"
            text={tUi('copy')}
            onClick={() => void navigator.clipboard.writeText(one.body).then(() => toast(tUi('copied')))}
          />
        )}
        {one.by === 'server' ? (
          <Button
            size="small"
            variant="minimal"
            text={tMessage('discard')}
            title={t('discardHint')}
            onClick={() => void discard(one.key)}
          />
        ) : (
          <Button
            size="small"
            variant="minimal"
            text={t('dismiss')}
            title={t('dismissHint')}
            loading={act.pending}
            onClick={() => void act(() => dismiss(one.message.id))()}
          />
        )}
      </div>
    </li>
  )
}

const unsentText = ({ body, files }: Extract<Failed, { by: 'server' }>['item']) =>
  [body, ...files.map(({ name }) => `📎 ${name}`)].filter(Boolean).join(' · ')
