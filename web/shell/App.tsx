import { useAtomValue } from 'jotai'
import { lazy, Suspense, useEffect } from 'react'
import { Redirect, useLocation } from 'wouter'
import { Offline } from '#web/http-transport.ts'
import { resume, sessionAtom } from '#web/session.ts'
import { ErrorView, Skeleton } from '#web/ui/states.tsx'
import { Shell } from './Shell.tsx'

const Login = lazy(() => import('#web/login/Login.tsx').then(({ Login }) => ({ default: Login })))
const Password = lazy(() => import('#web/login/Password.tsx').then(({ Password }) => ({ default: Password })))
const Forgot = lazy(() => import('#web/login/Forgot.tsx').then(({ Forgot }) => ({ default: Forgot })))
const Reset = lazy(() => import('#web/login/Reset.tsx').then(({ Reset }) => ({ default: Reset })))

/** Who is not signed in goes to the door and comes back to where they wanted to be. */
export function App() {
  const session = useAtomValue(sessionAtom)
  const [path] = useLocation()
  useEffect(() => (session === 'failed' ? whenBack(() => void resume()) : undefined), [session])
  /* These two open for who holds a link, whoever is signed in here. */
  const Linked = { '/password': Password, '/reset-password': Reset }[path]
  if (Linked)
    return (
      <Suspense fallback={<Skeleton rows={8} />}>
        <Linked />
      </Suspense>
    )
  if (session === 'starting') return <Skeleton rows={8} />
  if (session === 'failed') return <ErrorView error={new Offline()} onRetry={resume} />
  if (path === '/forgot-password')
    return session === 'in' ? (
      <Redirect to="/" replace />
    ) : (
      <Suspense fallback={<Skeleton rows={8} />}>
        <Forgot />
      </Suspense>
    )
  if (session === 'out' && path !== '/login')
    // with what an address brings along, such as what Meta says of a login
    return <Redirect to={`/login${path === '/' ? '' : `?to=${encodeURIComponent(path + location.search)}`}`} replace />
  return <Suspense fallback={<Skeleton rows={8} />}>{session === 'out' || path === '/login' ? <Login /> : <Shell />}</Suspense>
}

/** The line came back, or is tried again after a while. */
function whenBack(again: () => void): () => void {
  const timer = setTimeout(again, 5000)
  window.addEventListener('online', again)
  return () => {
    clearTimeout(timer)
    window.removeEventListener('online', again)
  }
}
