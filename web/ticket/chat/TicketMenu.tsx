import { Menu, MenuDivider, MenuItem } from '@blueprintjs/core'
import { useAtomValue } from 'jotai'
import { Fragment } from 'react'
import type { TicketRow } from '#domain/ticket/contract.ts'
import type { TicketActions } from '#web/ticket/actions.ts'
import { phoneAtom } from '#web/ui/breakpoints.ts'
import { useTicketCommands } from './useTicketCommands.tsx'

export function TicketMenu({ ticket, actions }: { ticket: TicketRow; actions: TicketActions }) {
  const isPhone = useAtomValue(phoneAtom)
  const { groups } = useTicketCommands(ticket, actions)
  const shown = groups.filter(({ length }) => length > 0)
  return (
    <Menu>
      {shown.map((commands, at) => (
        <Fragment key={commands[0]!.id}>
          {at > 0 && <MenuDivider />}
          {commands.map(({ id, icon, text, keys, isDangerous, run }) => (
            <MenuItem
              key={id}
              icon={icon}
              text={text}
              {...(keys !== undefined && !isPhone && { label: keys })}
              {...(isDangerous && { intent: 'danger' as const })}
              onClick={run}
            />
          ))}
        </Fragment>
      ))}
    </Menu>
  )
}
