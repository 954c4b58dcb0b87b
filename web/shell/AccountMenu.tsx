import { Menu, MenuItem } from '@blueprintjs/core'
import { Blank, IdNumber, KeyCommand, LogOut, Person, Tick } from '@blueprintjs/icons'
import { useAtom, useAtomValue, useSetAtom } from 'jotai'
import { api } from '#web/api.ts'
import { useWords } from '#web/i18n.ts'
import { expiredAtom, meAtom, useMe } from '#web/session.ts'
import { opensNextAtom } from '#web/ticket/next.ts'
import { useAct } from '#web/ui/async-action.ts'
import { userWords } from '#web/user/words.ts'
import css from './AccountMenu.module.css'
import { pictureOpenAtom, profileOpenAtom, sheetOpenAtom } from './atoms.ts'
import { askToSignOut } from './leaving.ts'
import { shellWords } from './words.ts'

export function AccountMenu() {
  const say = useWords(shellWords)
  const ofUser = useWords(userWords)
  const me = useMe()
  const setMe = useSetAtom(meAtom)
  const expired = useAtomValue(expiredAtom)
  const openProfile = useSetAtom(profileOpenAtom)
  const openPicture = useSetAtom(pictureOpenAtom)
  const openSheet = useSetAtom(sheetOpenAtom)
  const [opensNext, turn] = useAtom(opensNextAtom)
  const leave = useAct()(async () => {
    await api.users.away({ params: { id: me.id }, body: { away: !me.away } })
    setMe((now) => now && { ...now, away: !me.away })
  })
  return (
    <>
      <div className={css.account}>
        <strong>{me.name}</strong>
        <span>{me.email}</span>
        <span>
          {say(me.profile === 'admin' ? 'admin' : 'agent')} · {me.company.name}
        </span>
      </div>
      <Menu aria-label={say('account')}>
        {!expired && <MenuItem icon={<IdNumber />} text={ofUser('profile')} onClick={() => openProfile(true)} />}
        {!expired && (
          <MenuItem
            icon={me.away ? <Tick /> : <Blank />}
            text={ofUser('goAway')}
            label={ofUser('goAwayHint')}
            shouldDismissPopover={false}
            onClick={() => void leave()}
          />
        )}
        {!expired && <MenuItem icon={<Person />} text={ofUser('picture')} onClick={() => openPicture(true)} />}
        <MenuItem icon={<KeyCommand />} text={say('shortcuts')} label="?" onClick={() => openSheet(true)} />
        <MenuItem
          icon={opensNext ? <Tick /> : <Blank />}
          text={say('nextOpens')}
          label={say(opensNext ? 'on' : 'off')}
          shouldDismissPopover={false}
          onClick={() => turn(!opensNext)}
        />
        <MenuItem icon={<LogOut />} text={say('signOut')} onClick={() => void askToSignOut()} />
      </Menu>
    </>
  )
}
