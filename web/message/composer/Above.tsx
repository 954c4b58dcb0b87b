import type { MessageRow } from '#domain/message/contract.ts'
import type { Collection } from '#web/live.ts'
import { AnswerWindow } from './AnswerWindow.tsx'
import { SendDisabledNotice } from './Asleep.tsx'
import { BlockedNotice } from './BlockedNotice.tsx'
import { Files } from './Files.tsx'
import { StaleReplyPrompt } from './Guard.tsx'
import { KeptDraft } from './KeptDraft.tsx'
import { Notices } from './Notices.tsx'
import { NumberAway } from './NumberAway.tsx'
import { OtherTabText } from './OtherTabText.tsx'
import { Quote } from './Quote.tsx'
import type { ComposerState, LeftBehind } from './useComposerState.ts'

/** Everything above the text: why it cannot be sent, notices, the quoted message and the files. */
export function Above(of: {
  state: ComposerState
  list: Collection<MessageRow>
  left: LeftBehind | null
  /** The id of the reason why nothing can be sent. */
  id: string
  onSendAnyway: () => void
  onSubmit: () => void
  onNote: () => void
}) {
  const { state, list } = of
  const { ticket, isPrivate, serves, mayWrite, draft, write, files, notices, overtaken } = state
  const hasDraft = draft.body.trim() !== '' || draft.quoted !== null || files.length > 0
  return (
    <>
      {overtaken && <StaleReplyPrompt overtaken={overtaken} list={list} ticket={ticket} onSend={of.onSendAnyway} />}
      {serves && !isPrivate && <NumberAway ticket={ticket} />}
      {!of.left && !ticket.contact.active && <BlockedNotice contact={ticket.contact} />}
      <div id={of.id}>
        {of.left ? (
          hasDraft && <KeptDraft isPrivate={isPrivate} body={draft.body} />
        ) : serves ? (
          <AnswerWindow ticket={ticket} kept={!mayWrite && draft.body.trim() !== ''} />
        ) : (
          <SendDisabledNotice ticket={ticket} onNote={isPrivate ? null : of.onNote} />
        )}
      </div>
      <OtherTabText state={state} />
      {notices.length > 0 && <Notices notices={notices} onChange={state.setNotices} />}
      {draft.quoted !== null && <Quote ticketId={ticket.id} list={list} id={draft.quoted} onClear={() => write({ quoted: null })} />}
      {files.length > 0 && (
        <Files
          files={files}
          onChange={state.setFiles}
          captions={draft.captions}
          onCaptions={(captions) => write({ captions })}
          onSend={of.onSubmit}
        />
      )}
    </>
  )
}
