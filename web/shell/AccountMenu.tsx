import { Menu, MenuItem } from '@blueprintjs/core'
import { Blank, History, IdNumber, KeyCommand, LogOut, Person, Tick } from '@blueprintjs/icons'
import { useAtom, useAtomValue, useSetAtom } from 'jotai'
import { useWords } from '#web/i18n.ts'
import { expiredAtom, useMe } from '#web/session.ts'
import { opensNextAtom } from '#web/ticket/next.ts'
import { userWords } from '#web/user/words.ts'
import css from './AccountMenu.module.css'
import { pictureOpenAtom, profileOpenAtom, sheetOpenAtom, signInsOpenAtom } from './atoms.ts'
import { useAway } from './away.ts'
import { askToSignOut } from './leaving.ts'
import { shellWords } from './words.ts'

export function AccountMenu() {
  const t = useWords(shellWords)
  const tUser = useWords(userWords)
  const me = useMe()
  const expired = useAtomValue(expiredAtom)
  const setProfileOpen = useSetAtom(profileOpenAtom)
  const setPictureOpen = useSetAtom(pictureOpenAtom)
  const setSignInsOpen = useSetAtom(signInsOpenAtom)
  const setSheetOpen = useSetAtom(sheetOpenAtom)
  const [opensNext, setOpensNext] = useAtom(opensNextAtom)
  const toggleAway = useAway()
  return (
    <>
      <div className={css.account}>
        <strong>{me.name}</strong>
        <span>{me.email}</span>
        <span>
          {t(me.profile === 'admin' ? 'admin' : 'agent')} · {me.company.name}
        </span>
      </div>
      <Menu aria-label={t('account')}>
        {!expired && <MenuItem icon={<IdNumber />} text={tUser('profile')} onClick={() => setProfileOpen(true)} />}
        {!expired && (
          <MenuItem
            icon={me.away ? <Tick /> : <Blank />}
            text={tUser('goAway')}
            label={tUser('goAwayHint')}
            shouldDismissPopover={false}
            onClick={() => void toggleAway()}
          />
        )}
        {!expired && <MenuItem icon={<Person />} text={tUser('picture')} onClick={() => setPictureOpen(true)} />}
        {!expired && <MenuItem icon={<History />} text={tUser('signIns')} onClick={() => setSignInsOpen(true)} />}
        <MenuItem icon={<KeyCommand />} text={t('shortcuts')} label="?" onClick={() => setSheetOpen(true)} />
        <MenuItem
          icon={opensNext ? <Tick /> : <Blank />}
          text={t('nextOpens')}
          label={t(opensNext ? 'on' : 'off')}
          shouldDismissPopover={false}
          onClick={() => setOpensNext(!opensNext)}
        />
        <MenuItem icon={<LogOut />} text={t('signOut')} onClick={() => void askToSignOut()} />
      </Menu>
    </>
  )
}
