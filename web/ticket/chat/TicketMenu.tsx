import { Menu, MenuDivider, MenuItem } from '@blueprintjs/core'
import {
  Annotation,
  Cross,
  EyeOpen,
  History,
  Print,
  Reset,
  Search,
  Star,
  SwapHorizontal,
  Tick,
  Time as TimeIcon,
  Trash,
  Undo,
} from '@blueprintjs/icons'
import { useSetAtom } from 'jotai'
import { useLocation } from 'wouter'
import { history } from '#domain/history/contract.ts'
import { type TicketRow, tickets } from '#domain/ticket/contract.ts'
import { useWords } from '#web/i18n.ts'
import { searchingAtom } from '#web/message/atoms.ts'
import { searchWords } from '#web/message/thread/words.ts'
import { useMay, useViewer } from '#web/session.ts'
import { allowed, type TicketActions } from '#web/ticket/actions.ts'
import { dialogAtom } from '#web/ticket/atoms.ts'
import { ticketWords } from '#web/ticket/words.ts'
import { caps } from '#web/ui/keys.ts'
import { ticketKeys } from './keys.ts'

const keysOf = (act: keyof typeof ticketKeys) => caps(ticketKeys[act]).join(' ')

export function TicketMenu({ ticket, actions }: { ticket: TicketRow; actions: TicketActions }) {
  const say = useWords(ticketWords)
  const saySearch = useWords(searchWords)
  const search = useSetAtom(searchingAtom)
  const ask = useSetAtom(dialogAtom)
  const [, go] = useLocation()
  const may = allowed(ticket, useViewer())
  const mayRemove = useMay(tickets.remove)
  const mayReplay = useMay(history.show)
  return (
    <Menu>
      {may.giveBack && <MenuItem icon={<Undo />} text={say('giveBack')} label={keysOf('giveBack')} onClick={actions.giveBack} />}
      {may.transfer && (
        <MenuItem
          icon={<SwapHorizontal />}
          text={say('transfer')}
          label={keysOf('transfer')}
          onClick={() => ask({ kind: 'transfer', ticket })}
        />
      )}
      {may.closeWaiting && <MenuItem icon={<Tick />} text={say('resolve')} onClick={() => actions.resolve(true)} />}
      {may.resolve && <MenuItem icon={<Tick />} text={say('resolveQuietly')} onClick={() => actions.resolve(false)} />}
      {may.rate && <MenuItem icon={<Star />} text={say('resolveRating')} onClick={() => actions.resolve(true, true)} />}
      {may.ignore && <MenuItem icon={<Cross />} text={say('ignore')} onClick={actions.ignore} />}
      {may.reopen && <MenuItem icon={<Reset />} text={say('reopen')} label={keysOf('accept')} onClick={actions.accept} />}
      <MenuDivider />
      <MenuItem icon={<Annotation />} text={say('notes')} label={keysOf('notes')} onClick={() => ask({ kind: 'notes', ticket })} />
      <MenuItem icon={<Search />} text={saySearch('title')} label={caps('mod+f').join(' ')} onClick={() => search(ticket.id)} />
      <MenuItem icon={<TimeIcon />} text={say('log')} onClick={() => ask({ kind: 'log', ticket })} />
      <MenuItem icon={<EyeOpen />} text={say('peek')} onClick={() => ask({ kind: 'peek', ticket })} />
      {mayReplay && (
        <MenuItem
          icon={<History />}
          text={say('history')}
          onClick={() => go(`/tickets/${ticket.uuid}/history`, { state: { from: `/tickets/${ticket.uuid}` } })}
        />
      )}
      <MenuItem icon={<Print />} text={say('print')} label={keysOf('print')} onClick={() => ask({ kind: 'print', ticket })} />
      {mayRemove && (
        <>
          <MenuDivider />
          <MenuItem icon={<Trash />} intent="danger" text={say('remove')} onClick={() => ask({ kind: 'delete', ticket })} />
        </>
      )}
    </Menu>
  )
}
