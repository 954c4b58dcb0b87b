import { useAtom, useStore } from 'jotai'
import type { TicketRow } from '#domain/ticket/contract.ts'
import { filesOf, overtakenOf } from '#web/message/sending.ts'
import { useViewer } from '#web/session.ts'
import { allowed } from '#web/ticket/actions.ts'
import { useAnswering } from './AnswerWindow.tsx'
import type { Draft } from './drafts.ts'
import { draftOf, modeOf } from './early.ts'
import { noticesOf } from './Notices.tsx'

/** Another agent has the ticket now, or this agent cannot see it any more. `by`: the other agent, if known. */
export type LeftBehind = { by: string | null }

/** The draft of a ticket with its files and notices, and what the agent may do with it. */
export function useComposerState(ticket: TicketRow, left: LeftBehind | null) {
  const store = useStore()
  const viewer = useViewer()
  const [mode, setMode] = useAtom(modeOf(ticket.uuid))
  const [draft, setDraft] = useAtom(draftOf(ticket.uuid, mode))
  const [files, setFiles] = useAtom(filesOf(ticket.id, mode))
  const [overtaken, setOvertaken] = useAtom(overtakenOf(ticket.id))
  const [notices, setNotices] = useAtom(noticesOf(ticket.id))
  const isPrivate = mode === 'note'
  const isPreparing = files.some((one) => one.isPreparing)
  const serves = left === null && allowed(ticket, viewer).write
  const mayWrite = useAnswering(ticket).is !== 'closed' && serves
  return {
    ...{ ticket, mode, setMode, isPrivate, draft, files, setFiles, overtaken, setOvertaken, notices, setNotices },
    ...{ isPreparing, serves, mayWrite },
    isOn: left === null && (mayWrite || isPrivate),
    isEmpty: draft.body.trim() === '' && files.length === 0, // R-MSG-02
    /** A colleague's answer needs a decision, or files are being prepared. */
    isWaiting: (overtaken !== null && overtaken.item.isPrivate === isPrivate) || isPreparing,
    write: (change: Partial<Draft>) => setDraft({ ...change, to: ticket.contact.name, ticketId: ticket.id }),
    /** The text of this moment, which may not be rendered yet. */
    readBody: () => store.get(draftOf(ticket.uuid, mode)).body,
    refuse: (text: string) => setNotices((all) => [...all.filter((one) => one.text !== text), { text }]),
  }
}
export type ComposerState = ReturnType<typeof useComposerState>
