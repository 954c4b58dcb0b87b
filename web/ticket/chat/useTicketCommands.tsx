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
import type { ReactElement } from 'react'
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

export type TicketCommand = {
  id: string
  icon: ReactElement
  text: string
  /** Its shortcut key. */
  keys?: string
  isDangerous?: true
  run: () => void
}
const when = (may: boolean, command: TicketCommand | null): TicketCommand[] => (may && command ? [command] : [])
const keysOf = (act: keyof typeof ticketKeys) => caps(ticketKeys[act]).join(' ')

/**
 * What the viewer may do with a ticket, by the same names in its menu and in the palette. `main`: the button of the
 * header; `groups`: the menu.
 */
export function useTicketCommands(ticket: TicketRow, actions: TicketActions): { main: TicketCommand[]; groups: TicketCommand[][] } {
  const t = useWords(ticketWords)
  const may = allowed(ticket, useViewer())
  const looks = useLookCommands(ticket)
  const mayRemove = useMay(tickets.remove)
  const setDialog = useSetAtom(dialogAtom)
  const meeting = useMeetingCommand(ticket)
  const bot = useBotCommand(ticket)
  const transfer = () => setDialog({ kind: 'transfer', ticket })
  const reopen = { id: 'reopen', icon: <Reset />, text: t('reopen'), keys: keysOf('accept'), run: actions.accept }
  const resolve = () => actions.resolve(true)
  return {
    main: [
      ...when(may.accept, { id: 'accept', icon: <Tick />, text: t('accept'), keys: keysOf('accept'), run: actions.accept }),
      ...when(may.resolve, { id: 'resolve', icon: <Tick />, text: t('resolve'), keys: keysOf('resolve'), run: resolve }),
    ],
    groups: [
      [
        ...when(may.giveBack, { id: 'giveBack', icon: <Undo />, text: t('giveBack'), keys: keysOf('giveBack'), run: actions.giveBack }),
        ...when(may.transfer, { id: 'transfer', icon: <SwapHorizontal />, text: t('transfer'), keys: keysOf('transfer'), run: transfer }),
        ...when(may.closeWaiting, { id: 'closeWaiting', icon: <Tick />, text: t('resolve'), run: resolve }),
        ...when(may.resolve, { id: 'quietly', icon: <Tick />, text: t('resolveQuietly'), run: () => actions.resolve(false) }),
        ...when(may.rate, { id: 'rate', icon: <Star />, text: t('resolveRating'), run: () => actions.resolve(true, true) }),
        ...when(may.ignore, { id: 'ignore', icon: <Cross />, text: t('ignore'), run: () => setDialog({ kind: 'ignore', ticket }) }),
        ...when(may.reopen, reopen),
        ...when(true, meeting),
        ...when(true, bot),
      ],
      looks,
      when(mayRemove, {
        ...{ id: 'remove', icon: <Trash />, text: t('remove'), isDangerous: true as const },
        run: () => setDialog({ kind: 'delete', ticket }),
      }),
    ],
  }
}

/** Notes, search, log, preview, history and print. */
function useLookCommands(ticket: TicketRow): TicketCommand[] {
  const t = useWords(ticketWords)
  const tSearch = useWords(searchWords)
  const setSearching = useSetAtom(searchingAtom)
  const setDialog = useSetAtom(dialogAtom)
  const [, go] = useLocation()
  const mayReplay = useMay(history.show)
  const address = `/tickets/${ticket.uuid}`
  const replay = () => go(`${address}/history`, { state: { from: address } })
  return [
    { id: 'notes', icon: <Annotation />, text: t('notes'), keys: keysOf('notes'), run: () => setDialog({ kind: 'notes', ticket }) },
    { id: 'search', icon: <Search />, text: tSearch('title'), keys: caps('mod+f').join(' '), run: () => setSearching(ticket.id) },
    { id: 'log', icon: <TimeIcon />, text: t('log'), run: () => setDialog({ kind: 'log', ticket }) },
    { id: 'peek', icon: <EyeOpen />, text: t('peek'), run: () => setDialog({ kind: 'peek', ticket }) },
    ...when(mayReplay, { id: 'history', icon: <History />, text: t('history'), run: replay }),
    { id: 'print', icon: <Print />, text: t('print'), keys: keysOf('print'), run: () => setDialog({ kind: 'print', ticket }) },
  ]
}

/** Sends the link of the ticket's video meeting (A-TICKET-20). */
function useMeetingCommand(ticket: TicketRow): TicketCommand | null {
  const t = useWords(menuWords)
  const { meetingBaseUrl } = useMe()
  const { write } = allowed(ticket, useViewer())
  const isClosed = useAnswering(ticket).is === 'closed'
  if (meetingBaseUrl === null || isClosed || !write) return null
  const run = () => sendDraft(ticket, { mode: 'reply', body: meetingLink(meetingBaseUrl, ticket) })
  return { id: 'meeting', icon: <Video />, text: t('meeting'), run }
}

/** Switches the bot for the contact of a ticket off or on (R-BOT-05). No bot answers in a group. */
function useBotCommand(ticket: TicketRow): TicketCommand | null {
  const t = useWords(switchWords)
  const { uuid, contactId, contact, isGroup } = ticket
  const { may, set } = useContactSwitch({ id: contactId, name: contact.name }, ({ disableBot }) => {
    const row = store.get(ticketOf(uuid)).row ?? ticket // the ticket may have changed since the menu was opened
    applyTicket({ ...row, contact: { ...row.contact, disableBot } })
  })
  if (isGroup || !may) return null
  const run = () => set('disableBot', !contact.disableBot)
  return { id: 'bot', icon: <Chat />, text: t(contact.disableBot ? 'botOn' : 'botOff'), run }
}
