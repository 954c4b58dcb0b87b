import { Menu, MenuDivider, MenuItem } from '@blueprintjs/core'
import {
  Annotation,
  Chat,
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
  Video,
} from '@blueprintjs/icons'
import { useSetAtom } from 'jotai'
import { useLocation } from 'wouter'
import { history } from '#domain/history/contract.ts'
import { type TicketRow, tickets } from '#domain/ticket/contract.ts'
import { meetingLink } from '#domain/ticket/rules.ts'
import { switchWords } from '#web/contact/switch-words.ts'
import { useContactSwitch } from '#web/contact/useContactSwitch.ts'
import { useWords } from '#web/i18n.ts'
import { searchingAtom } from '#web/message/atoms.ts'
import { useAnswering } from '#web/message/composer/AnswerWindow.tsx'
import { sendDraft } from '#web/message/sending.ts'
import { searchWords } from '#web/message/thread/words.ts'
import { store, useMay, useMe, useViewer } from '#web/session.ts'
import { allowed, type TicketActions } from '#web/ticket/actions.ts'
import { applyTicket, dialogAtom, ticketOf } from '#web/ticket/atoms.ts'
import { ticketWords } from '#web/ticket/words.ts'
import { caps } from '#web/ui/keys.ts'
import { ticketKeys } from './keys.ts'
import { menuWords } from './menu-words.ts'

const keysOf = (act: keyof typeof ticketKeys) => caps(ticketKeys[act]).join(' ')

export function TicketMenu({ ticket, actions }: { ticket: TicketRow; actions: TicketActions }) {
  const t = useWords(ticketWords)
  const tSearch = useWords(searchWords)
  const setSearching = useSetAtom(searchingAtom)
  const setDialog = useSetAtom(dialogAtom)
  const [, go] = useLocation()
  const may = allowed(ticket, useViewer())
  const mayRemove = useMay(tickets.remove)
  const mayReplay = useMay(history.show)
  return (
    <Menu>
      {may.giveBack && <MenuItem icon={<Undo />} text={t('giveBack')} label={keysOf('giveBack')} onClick={actions.giveBack} />}
      {may.transfer && (
        <MenuItem
          icon={<SwapHorizontal />}
          text={t('transfer')}
          label={keysOf('transfer')}
          onClick={() => setDialog({ kind: 'transfer', ticket })}
        />
      )}
      {may.closeWaiting && <MenuItem icon={<Tick />} text={t('resolve')} onClick={() => actions.resolve(true)} />}
      {may.resolve && <MenuItem icon={<Tick />} text={t('resolveQuietly')} onClick={() => actions.resolve(false)} />}
      {may.rate && <MenuItem icon={<Star />} text={t('resolveRating')} onClick={() => actions.resolve(true, true)} />}
      {may.ignore && <MenuItem icon={<Cross />} text={t('ignore')} onClick={() => setDialog({ kind: 'ignore', ticket })} />}
      {may.reopen && <MenuItem icon={<Reset />} text={t('reopen')} label={keysOf('accept')} onClick={actions.accept} />}
      <MeetingItem ticket={ticket} />
      <BotItem ticket={ticket} />
      <MenuDivider />
      <MenuItem icon={<Annotation />} text={t('notes')} label={keysOf('notes')} onClick={() => setDialog({ kind: 'notes', ticket })} />
      <MenuItem icon={<Search />} text={tSearch('title')} label={caps('mod+f').join(' ')} onClick={() => setSearching(ticket.id)} />
      <MenuItem icon={<TimeIcon />} text={t('log')} onClick={() => setDialog({ kind: 'log', ticket })} />
      <MenuItem icon={<EyeOpen />} text={t('peek')} onClick={() => setDialog({ kind: 'peek', ticket })} />
      {mayReplay && (
        <MenuItem
          icon={<History />}
          text={t('history')}
          onClick={() => go(`/tickets/${ticket.uuid}/history`, { state: { from: `/tickets/${ticket.uuid}` } })}
        />
      )}
      <MenuItem icon={<Print />} text={t('print')} label={keysOf('print')} onClick={() => setDialog({ kind: 'print', ticket })} />
      {mayRemove && (
        <>
          <MenuDivider />
          <MenuItem icon={<Trash />} intent="danger" text={t('remove')} onClick={() => setDialog({ kind: 'delete', ticket })} />
        </>
      )}
    </Menu>
  )
}

/** Sends the link of the ticket's video meeting (A-TICKET-20). */
function MeetingItem({ ticket }: { ticket: TicketRow }) {
  const t = useWords(menuWords)
  const { meetingBaseUrl } = useMe()
  const { write } = allowed(ticket, useViewer())
  const isClosed = useAnswering(ticket).is === 'closed'
  if (meetingBaseUrl === null || isClosed || !write) return null
  const send = () => sendDraft(ticket, { mode: 'reply', body: meetingLink(meetingBaseUrl, ticket) })
  return <MenuItem icon={<Video />} text={t('meeting')} onClick={send} />
}

/** Switches the bot for the contact of a ticket off or on (R-BOT-05). No bot answers in a group. */
function BotItem({ ticket }: { ticket: TicketRow }) {
  const t = useWords(switchWords)
  const { contact, uuid } = ticket
  const { may, set } = useContactSwitch({ id: ticket.contactId, name: contact.name }, ({ disableBot }) => {
    const row = store.get(ticketOf(uuid)).row ?? ticket // the ticket may have changed since the menu was opened
    applyTicket({ ...row, contact: { ...row.contact, disableBot } })
  })
  if (ticket.isGroup || !may) return null
  return (
    <MenuItem icon={<Chat />} text={t(contact.disableBot ? 'botOn' : 'botOff')} onClick={() => set('disableBot', !contact.disableBot)} />
  )
}
