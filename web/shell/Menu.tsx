import { Button } from '@blueprintjs/core'
import { MenuClosed, MenuOpen } from '@blueprintjs/icons'
import { atom, useAtomValue, useSetAtom } from 'jotai'
import { Link, useLocation } from 'wouter'
import { label } from '#domain/version/label.ts'
import { useWords } from '#web/i18n.ts'
import { groups, type Screen, screens } from '#web/screens.tsx'
import { expiredAtom, useViewer } from '#web/session.ts'
import { foldMenuAtom, menuOpenAtom, smallMenuAtom } from './atoms.ts'
import { Mark } from './Mark.tsx'
import css from './Menu.module.css'
import { unreadCountAtom, unreadWordAtom } from './unread.ts'
import { groupWords, menuWords, shellWords } from './words.ts'

/** The menu shows only existing screens that the viewer may open. */
export function Menu() {
  const t = useWords(shellWords)
  const tGroup = useWords(groupWords)
  const viewer = useViewer()
  const small = useAtomValue(smallMenuAtom)
  const foldMenu = useSetAtom(foldMenuAtom)
  const expired = useAtomValue(expiredAtom)
  const entries = screens.filter(({ menu, may }) => menu && !expired && may(viewer) === null)
  return (
    <nav className={css.menu} data-part="menu" aria-label={t('menu')}>
      <div className={css.brand}>
        <Mark size={26} />
        <span className={css.name}>Guichê</span>
      </div>
      <div className={css.groups}>
        {groups
          .map((name) => ({ name, some: entries.filter(({ menu }) => menu?.group === name) }))
          .filter(({ some }) => some.length > 0)
          .map(({ name, some }) => (
            <section key={name}>
              <h2 className={css.group}>{tGroup(name)}</h2>
              <ul>
                {some.map((screen) => (
                  <Entry key={screen.path} screen={screen} />
                ))}
              </ul>
            </section>
          ))}
      </div>
      <div className={css.foot} data-part="menu-foot">
        <span className={`${css.version} nums`}>v{label}</span>
        <Button
          variant="minimal"
          size="small"
          className={css.fold!}
          icon={small ? <MenuOpen /> : <MenuClosed />}
          aria-label={t(small ? 'unfold' : 'fold')}
          title={`${t(small ? 'unfold' : 'fold')}  [`}
          onClick={foldMenu}
        />
      </div>
    </nav>
  )
}

function Entry({ screen: { menu, word, exists, warns } }: { screen: Screen }) {
  return exists ? (
    <Perhaps exists={exists} href={menu!.href} icon={menu!.icon} word={word} warns={warns} />
  ) : (
    <There href={menu!.href} icon={menu!.icon} word={word} warns={warns} />
  )
}
type Of = Pick<NonNullable<Screen['menu']>, 'href' | 'icon'> & Pick<Screen, 'word'> & { warns: Screen['warns'] | undefined }
const never = atom(false)

function Perhaps({ exists, ...entry }: Of & { exists: NonNullable<Screen['exists']> }) {
  return useAtomValue(exists) && <There {...entry} />
}

function There({ href, icon: Icon, word, warns = never }: Of) {
  const t = useWords(menuWords)
  const tShell = useWords(shellWords)
  const small = useAtomValue(smallMenuAtom)
  const setMenuOpen = useSetAtom(menuOpenAtom)
  const unread = useAtomValue(unreadCountAtom)
  const unreadWord = useAtomValue(unreadWordAtom)
  const warned = useAtomValue(warns)
  const [path] = useLocation()
  // a replay belongs to the audit screen, though its address is the ticket's
  const at = /^\/tickets\/[^/]+\/history$/.test(path) ? '/history' : path
  const here = at === href || at.startsWith(`${href}/`)
  const count = word === 'inbox' ? unread : 0
  const counted = tShell(unreadWord, { n: count })
  return (
    <li>
      <Link
        href={href}
        className={css.entry}
        data-part="menu-entry"
        aria-current={here ? 'page' : undefined}
        title={small ? t(word) : undefined}
        onClick={() => setMenuOpen(false)}
      >
        <Icon size={16} />
        <span className={css.word}>{t(word)}</span>
        {warned && (
          <span className={css.count} data-part="menu-warning" role="img" title={tShell('someOff')} aria-label={tShell('someOff')}>
            !
          </span>
        )}
        {count > 0 && (
          <span className={`${css.count} nums`} data-part="menu-count" role="img" title={counted} aria-label={counted}>
            {count > 99 ? '99+' : count}
          </span>
        )}
      </Link>
    </li>
  )
}
