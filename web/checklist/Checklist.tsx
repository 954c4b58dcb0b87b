import { lazy, type ReactNode, Suspense } from 'react'
import { on } from '#domain/setting/contract.ts'
import { groups } from '#web/calls.ts'
import { useMay, useSettings } from '#web/session.ts'

const Steps = lazy(() => import('./Steps.tsx').then(({ Steps }) => ({ default: Steps })))

/** The remaining setup steps of a new company's admin. Other users, and a finished setup, see `children`. */
export function Checklist({ children }: { children: ReactNode }) {
  const may = useMay(groups.checklist.show)
  const wanted = on(useSettings(), 'firstSteps')
  return may && wanted ? (
    <Suspense fallback={children}>
      <Steps>{children}</Steps>
    </Suspense>
  ) : (
    children
  )
}
