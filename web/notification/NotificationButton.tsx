import { Button } from '@blueprintjs/core'
import { Notifications } from '@blueprintjs/icons'
import { useAtomValue } from 'jotai'
import { useWords } from '#web/i18n.ts'
import { unreadCountAtom, unreadWordAtom } from '#web/shell/unread.ts'
import { shellWords } from '#web/shell/words.ts'
import { PopoverButton } from '#web/ui/PopoverButton.tsx'
import css from './NotificationButton.module.css'

/** The number of unread tickets, and their list in a popover. */
export function NotificationButton() {
  const t = useWords(shellWords)
  const count = useAtomValue(unreadCountAtom)
  const word = useAtomValue(unreadWordAtom)
  const label = count === 0 ? t('notifications') : `${t('notifications')}: ${t(word, { n: count })}`
  return (
    <PopoverButton
      label={t('notifications')}
      content={async () => (await import('./NotificationList.tsx')).NotificationList}
      button={
        <Button
          variant="minimal"
          aria-label={label}
          title={label}
          icon={
            <span className={css.bell} data-unread={count > 0 || undefined}>
              <Notifications />
            </span>
          }
        />
      }
    />
  )
}
