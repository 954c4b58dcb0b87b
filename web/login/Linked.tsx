import { type ReactNode, useEffect, useState } from 'react'
import { useLocation } from 'wouter'
import { ApiError, api } from '#web/api.ts'
import { ErrorView, Skeleton } from '#web/ui/states.tsx'
import { Outside } from './Outside.tsx'

export type Link = { email: string; company: string; minLength: number }
export const isOver = (error: unknown): boolean =>
  error instanceof ApiError && ['ERR_PASSWORD_LINK', 'ERR_RESET_TOKEN'].includes(error.code)

async function asked(token: string): Promise<Link | 'over'> {
  try {
    return await api.session.passwordLink({ body: { token } })
  } catch (error) {
    if (isOver(error) || (error instanceof ApiError && error.code === 'ERR_INVALID_INPUT')) return 'over' // not one of our tokens
    throw error
  }
}
const kept = (path: string) => `link ${path}`
/**
 * The token: after the #, which browsers do not send; in the published query parameter; or kept from before a
 * reload.
 */
const given = (path: string) =>
  location.hash.slice(1) || new URLSearchParams(location.search).get('token') || sessionStorage.getItem(kept(path)) || ''

/** The page of a mailed link. The token leaves the address at once, and this tab when the link is no longer valid. */
export function Linked({
  title,
  over,
  below,
  children,
}: {
  title: string
  /** Shown when the link is no longer valid. */
  over: ReactNode
  below?: ReactNode
  children: (link: Link, token: string, over: () => void) => ReactNode
}) {
  const [path] = useLocation()
  const [token] = useState(() => given(path))
  const [link, setLink] = useState<Link | 'over' | null>(token === '' ? 'over' : null)
  const [fault, setFault] = useState<unknown>(null)
  useEffect(() => {
    history.replaceState(null, '', path)
    if (token === '') return
    sessionStorage.setItem(kept(path), token)
    void asked(token).then(setLink, setFault)
  }, [token, path])
  useEffect(() => {
    if (link === 'over') sessionStorage.removeItem(kept(path))
  }, [link, path])
  const again = () => {
    setFault(null)
    return asked(token).then(setLink, setFault)
  }
  return (
    <Outside title={title}>
      {fault !== null ? (
        <ErrorView error={fault} onRetry={again} />
      ) : link === null ? (
        <Skeleton rows={3} />
      ) : link === 'over' ? (
        over
      ) : (
        children(link, token, () => setLink('over'))
      )}
      {below}
    </Outside>
  )
}
