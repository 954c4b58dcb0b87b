import { useAtom } from 'jotai'
import { useEffect, useLayoutEffect, useState } from 'react'
import { dialogAtom } from '#web/ticket/atoms.ts'
import { type Dialog, independent } from './dialog.ts'

/**
 * The dialog over the ticket of the address. It closes when another ticket opens under it, also while its script loads,
 * because what is typed next belongs to that ticket.
 */
export function useDialogOver(uuid: string | undefined): [Dialog | null, (dialog: null) => void] {
  const [asked, setAsked] = useAtom(dialogAtom)
  const [opened, setOpened] = useState({ asked, uuid })
  if (asked !== opened.asked) setOpened({ asked, uuid })
  const isLeft = asked !== null && asked === opened.asked && uuid !== opened.uuid && !independent.includes(asked.kind)
  useLayoutEffect(() => {
    if (isLeft) setAsked(null)
  }, [isLeft, setAsked])
  useEffect(() => () => setAsked(null), [setAsked])
  return [isLeft ? null : asked, setAsked]
}
