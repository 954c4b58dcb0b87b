import { Callout } from '@blueprintjs/core'
import { useEffect, useState } from 'react'
import { useWatch } from 'react-hook-form'
import type { UserDetail } from '#domain/user/contract.ts'
import { useWords } from '#web/i18n.ts'
import css from './fields.module.css'
import { servedBy } from './serving.ts'
import { userWords } from './words.ts'

/** Number of tickets that return to waiting when an agent loses queues. */
export function Leaving({ of }: { of: UserDetail }) {
  const t = useWords(userWords)
  const [profile, queueIds] = useWatch<{ profile: string; queueIds: number[] }, ['profile', 'queueIds']>({ name: ['profile', 'queueIds'] })
  const left = profile === 'user' ? of.queueIds.filter((id) => !queueIds.includes(id)).join() : ''
  const [counted, setCounted] = useState<{ left: string; n: number } | null>(null)
  useEffect(() => {
    if (left === '') return
    servedBy(of.id, left).then(
      (n) => setCounted({ left, n }),
      () => setCounted(null),
    )
  }, [of.id, left])
  if (left === '' || counted?.left !== left || counted.n === 0) return null
  return (
    <Callout intent="warning" role="status" className={css.leaving ?? ''}>
      {t(counted.n === 1 ? 'leavesOne' : 'leavesSome', { n: counted.n })}
    </Callout>
  )
}

export function AdminNote() {
  const t = useWords(userWords)
  const profile = useWatch<{ profile: string }, 'profile'>({ name: 'profile' })
  return profile === 'admin' ? <Callout intent="primary">{t('adminMayAll')}</Callout> : null
}
