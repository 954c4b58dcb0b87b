import { useAtom } from 'jotai'
import { lazy, Suspense } from 'react'
import { personDialogAtom } from './dialog-atom.ts'

const ErasePerson = lazy(() => import('./ErasePerson.tsx').then((module) => ({ default: module.ErasePerson })))
const ExportPerson = lazy(() => import('./ExportPerson.tsx').then((module) => ({ default: module.ExportPerson })))

/** The open dialog about a person's data. */
export function PersonDialogs() {
  const [asked, setAsked] = useAtom(personDialogAtom)
  if (!asked) return null
  const Shown = asked.what === 'erase' ? ErasePerson : ExportPerson
  return (
    <Suspense>
      <Shown {...asked} onClose={() => setAsked(null)} />
    </Suspense>
  )
}
