import { Button, type ButtonProps, Menu, MenuItem } from '@blueprintjs/core'
import { Export, More, Shield, Trash } from '@blueprintjs/icons'
import { useSetAtom } from 'jotai'
import { lazy, Suspense, useState } from 'react'
import type { ContactRow } from '#domain/contact/contract.ts'
import { dataRequests } from '#domain/data-request/contract.ts'
import { useWords } from '#web/i18n.ts'
import { useMay } from '#web/session.ts'
import { Popover } from '#web/ui/Popover.tsx'
import { Walked } from '#web/ui/Walked.tsx'
import { type PersonDialog, personDialogAtom } from './dialog-atom.ts'
import { dataRequestWords } from './words.ts'

const DataRequests = lazy(() => import('./DataRequests.tsx').then((module) => ({ default: module.DataRequests })))

type Of = ButtonProps & { contact: Pick<ContactRow, 'id' | 'name' | 'isGroup'>; iconOnly?: boolean; onErased?: () => void }

/** A menu that exports or erases the data of a person. A group is no person. */
export function PersonData({ contact, iconOnly = false, onErased, ...button }: Of) {
  const t = useWords(dataRequestWords)
  const [isOpen, setIsOpen] = useState(false)
  const ask = useSetAtom(personDialogAtom)
  const mayErase = useMay(dataRequests.erase)
  if (!mayErase || contact.isGroup) return null
  const open = (what: PersonDialog['what']) => ask({ what, contact, ...(onErased && { onErased }) })
  const label = t('personDataOf', { name: contact.name })
  return (
    <Popover
      open={isOpen}
      onOpenChange={setIsOpen}
      placement="bottom-end"
      shouldReturnFocusOnClose={false}
      content={
        <Walked>
          <Menu>
            <MenuItem icon={<Export />} text={t('export')} onClick={() => open('export')} />
            <MenuItem icon={<Trash />} intent="danger" text={t('erase')} onClick={() => open('erase')} />
          </Menu>
        </Walked>
      }
    >
      <Button
        {...button}
        icon={iconOnly ? <More /> : <Shield />}
        aria-haspopup="menu"
        {...(iconOnly ? { 'aria-label': label, title: t('personData') } : { text: t('personData') })}
      />
    </Popover>
  )
}

/** Opens the list of requests. */
export function DataRequestsButton() {
  const t = useWords(dataRequestWords)
  const [isOpen, setIsOpen] = useState(false)
  if (!useMay(dataRequests.list)) return null
  return (
    <>
      <Button icon={<Shield />} aria-label={t('list')} title={t('list')} onClick={() => setIsOpen(true)} />
      {isOpen && (
        <Suspense>
          <DataRequests onClose={() => setIsOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
