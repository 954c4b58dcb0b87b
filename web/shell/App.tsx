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

/** Redirects users without a session to the sign-in page and back to the wanted address afterwards. */
export function App() {
  const session = useAtomValue(sessionAtom)
  const [path] = useLocation()
  useEffect(() => (session === 'failed' ? whenBack(() => void resume()) : undefined), [session])
  /* The two pages of mailed links open with or without a session. */
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
    // including the query, which may hold Meta's answer to a login
    return <Redirect to={`/login${path === '/' ? '' : `?to=${encodeURIComponent(path + location.search)}`}`} replace />
  return <Suspense fallback={<Skeleton rows={8} />}>{session === 'out' || path === '/login' ? <Login /> : <Shell />}</Suspense>
}

/** Retries when the browser is online again, and after a while. */
function whenBack(again: () => void): () => void {
  const timer = setTimeout(again, 5000)
  window.addEventListener('online', again)
  return () => {
    clearTimeout(timer)
    window.removeEventListener('online', again)
  }
}
