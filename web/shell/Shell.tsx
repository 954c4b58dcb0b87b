import { useAtom, useAtomValue, useSetAtom } from 'jotai'
import { Activity, lazy, type ReactNode, Suspense, useEffect, useState } from 'react'
import { Redirect, Route, Switch, useLocation } from 'wouter'
import { PersonDialogs } from '#web/data-request/PersonDialogs.tsx'
import { useWords } from '#web/i18n.ts'
import { type Screen, screens } from '#web/screens.tsx'
import { expiredAtom, useViewer } from '#web/session.ts'
import { useBackCloses } from '#web/ui/back-navigation.ts'
import { AccessLost } from '#web/ui/connection-lost.ts'
import { useKeys } from '#web/ui/keys.ts'
import { useOpening } from '#web/ui/opening.ts'
import '#web/ui/returnFocus.ts' // loaded before the first dialog, because it tracks the focus
import { Skip } from '#web/ui/Skip.tsx'
import { Skeleton } from '#web/ui/states.tsx'
import { unsavedAtom } from '#web/ui/unsaved.ts'
import {
  foldMenuAtom,
  menuOpenAtom,
  paletteOpenAtom,
  pictureOpenAtom,
  profileOpenAtom,
  sheetOpenAtom,
  signInsOpenAtom,
  smallMenuAtom,
} from './atoms.ts'
import { Bars } from './Bars.tsx'
import { Boundary } from './Boundary.tsx'
import { useClosedBy } from './closedBy.ts'
import { failedAtom } from './failed.ts'
import { useHanded } from './handed.ts'
import { leavingAtom } from './leaving.ts'
import { Menu } from './Menu.tsx'
import { useOutages } from './outages.ts'
import { Expired, NoAccess, NotFound } from './outside.tsx'
import css from './Shell.module.css'
import { TopBar } from './TopBar.tsx'
import { pageTitle } from './title.ts'
import { unreadCountAtom } from './unread.ts'
import { menuWords, shellWords } from './words.ts'

const Palette = lazy(() => import('./Palette.tsx').then(({ Palette }) => ({ default: Palette })))
const Leaving = lazy(() => import('./Leaving.tsx').then(({ Leaving }) => ({ default: Leaving })))
const ProfileDialog = lazy(() => import('#web/user/ProfileDialog.tsx').then(({ ProfileDialog }) => ({ default: ProfileDialog })))
const PictureDialog = lazy(() => import('#web/user/PictureDialog.tsx').then(({ PictureDialog }) => ({ default: PictureDialog })))
const SignIns = lazy(() => import('#web/user/SignIns.tsx').then(({ SignIns }) => ({ default: SignIns })))
const Notifier = lazy(() => import('#web/notification/Notifier.tsx').then(({ Notifier }) => ({ default: Notifier })))
const Sheet = lazy(() => import('./Sheet.tsx').then(({ Sheet }) => ({ default: Sheet })))

export function Shell() {
  const t = useWords(shellWords)
  const fold = useSetAtom(foldMenuAtom)
  const small = useAtomValue(smallMenuAtom)
  const [menuOpen, setMenuOpen] = useAtom(menuOpenAtom)
  const [palette, setPalette] = useAtom(paletteOpenAtom)
  const [sheet, setSheet] = useAtom(sheetOpenAtom)
  const [profile, setProfile] = useAtom(profileOpenAtom)
  const [picture, setPicture] = useAtom(pictureOpenAtom)
  const [signIns, setSignIns] = useAtom(signInsOpenAtom)
  const leaving = useAtomValue(leavingAtom)
  const expired = useAtomValue(expiredAtom)
  useShellKeys(fold, expired)
  useBackCloses(menuOpen, () => setMenuOpen(false))
  useOpening(palette && !expired, () => setPalette(false))
  useOpening(sheet, () => setSheet(false))
  return (
    <div className={css.shell} data-folded={small || undefined} data-menu-open={menuOpen || undefined}>
      <Skip to="content">{t('skip')}</Skip>
      <Menu />
      {menuOpen && <button type="button" className={css.scrim} aria-label={t('fold')} onClick={() => setMenuOpen(false)} />}
      <div className={css.page}>
        <TopBar />
        <Bars />
        <main id="content" className={css.content} tabIndex={-1} data-toasts data-scrolls>
          <Boundary>
            {expired && <Expired />}
            <Kept away={expired}>
              <Suspense fallback={<Skeleton rows={10} height={48} />}>
                <Routes />
              </Suspense>
            </Kept>
          </Boundary>
        </main>
      </div>
      <Suspense>
        {palette && !expired && <Palette />}
        {profile && !expired && <ProfileDialog onClose={() => setProfile(false)} />}
        {picture && !expired && <PictureDialog onClose={() => setPicture(false)} />}
        {signIns && !expired && <SignIns onClose={() => setSignIns(false)} />}
        {sheet && <Sheet />}
        {leaving && <Leaving />}
      </Suspense>
      {!expired && <PersonDialogs />}
      <Suspense>{!expired && <Notifier />}</Suspense>
    </div>
  )
}

/**
 * Keeps the screen mounted while it is hidden, so typed text remains. A user who never had access never mounts it.
 */
function Kept({ away, children }: { away: boolean; children: ReactNode }) {
  const [begun, setBegun] = useState(!away)
  if (!away && !begun) setBegun(true)
  return begun && <Activity mode={away ? 'hidden' : 'visible'}>{children}</Activity>
}

const Routes = () => {
  useHanded()
  useOutages()
  useClosedBy()
  return (
    <Switch>
      <Route path="/">
        <FirstScreen />
      </Route>
      {screens.map((screen) => (
        <Route key={screen.path} path={screen.path}>
          <Guarded screen={screen} />
        </Route>
      ))}
      <Route>
        <NotFound />
      </Route>
    </Switch>
  )
}

/** The dashboard for users who may see it, otherwise the tickets. Losing the right while looking shows that (R-DASH-06). */
function FirstScreen() {
  const screen = screens.find(({ path }) => path === '/')!
  const allowed = screen.may(useViewer()) === null
  const [begun] = useState(allowed)
  return begun ? <Guarded screen={screen} /> : <Redirect to="/tickets" replace />
}

/**
 * Checks the gate of the screen's call, like the server. If access is lost while a form is open, the form can
 * still be read and copied.
 */
function Guarded({ screen: { may, word, show: Show } }: { screen: Screen }) {
  const t = useWords(menuWords)
  const unread = useAtomValue(unreadCountAtom)
  const tShell = useWords(shellWords)
  const { count } = useAtomValue(failedAtom)
  const title = pageTitle(t(word), unread, count === 0 ? '' : tShell(count === 1 ? 'unsentOne' : 'unsent', { n: count }))
  useEffect(() => {
    document.title = title
  }, [title])
  const allowed = may(useViewer()) === null
  const [visible, setVisible] = useState(allowed)
  const lost = useAtomValue(unsavedAtom) > 0 && visible && !allowed
  if (visible !== (allowed || lost)) setVisible(allowed || lost)
  return allowed || lost ? (
    <AccessLost value={lost}>
      <Show />
    </AccessLost>
  ) : (
    <NoAccess />
  )
}

function useShellKeys(fold: () => void, expired: boolean): void {
  const t = useWords(shellWords)
  const tMenu = useWords(menuWords)
  const viewer = useViewer()
  const [, go] = useLocation()
  const setPaletteOpen = useSetAtom(paletteOpenAtom)
  const setSheetOpen = useSetAtom(sheetOpenAtom)
  const reachable = screens.flatMap(({ menu: entry, may, word }) =>
    entry && !expired && may(viewer) === null ? [{ keys: `g ${entry.key}`, label: tMenu(word), run: () => go(entry.href) }] : [],
  )
  useKeys('Guichê', [
    ...(expired ? [] : [{ keys: 'mod+k', label: t('find'), run: () => setPaletteOpen(true), typing: true as const }]),
    { keys: '?', label: t('shortcuts'), run: () => setSheetOpen(true) },
    { keys: 'mod+/', label: t('shortcuts'), run: () => setSheetOpen(true), typing: true },
    { keys: '[', label: t('fold'), run: fold },
    ...reachable,
  ])
}
