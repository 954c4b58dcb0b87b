import { lazy, type ReactNode, Suspense } from 'react'
import { on } from '#domain/setting/contract.ts'
import { groups } from '#web/calls.ts'
import { useMay, useSettings } from '#web/session.ts'

const Steps = lazy(() => import('./Steps.tsx').then(({ Steps }) => ({ default: Steps })))

/** What a new company's admin still has to set up; for everybody else, and once all is done, `children`. */
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
