import type { ContactRow } from '#domain/contact/contract.ts'
import type { MessageRow } from '#domain/message/contract.ts'
import type { TicketRow } from '#domain/ticket/contract.ts'
import type { Mode } from '#web/message/composer/drafts.ts'
import type { Choice } from '#web/ticket/list/wanted.ts'

export type Coloured = { id: number; name: string; color?: string }
/** One dialog is open at a time. The screen that opens it and the component that shows it are independent. */
export type Dialog =
  | { kind: 'queue'; ticket: TicketRow }
  | { kind: 'busy'; userId: number | null; user: Omit<Coloured, 'id'> | null; queue: Omit<Coloured, 'id'> | null }
  | { kind: 'transfer'; ticket: TicketRow }
  | { kind: 'log'; ticket: Pick<TicketRow, 'id' | 'revision'> & { contact: Pick<TicketRow['contact'], 'name'> } }
  | { kind: 'notes'; ticket: TicketRow }
  | { kind: 'peek'; ticket: TicketRow }
  | { kind: 'print'; ticket: TicketRow }
  | { kind: 'new'; contact?: ContactRow; number?: string }
  | { kind: 'closeAll'; tab: 'open' | 'pending' | 'group'; choice: Choice }
  | { kind: 'delete'; ticket: TicketRow }
  | { kind: 'ignore'; ticket: TicketRow }
  | { kind: 'contact'; contactId: number }
  | { kind: 'forward'; ticket: TicketRow; messages: MessageRow[] }
  | { kind: 'edit'; ticket: TicketRow; message: MessageRow }
  | { kind: 'deleteMessage'; ticket: TicketRow; message: MessageRow }
  | { kind: 'template'; ticket: TicketRow }
  | { kind: 'interactive'; ticket: TicketRow }
  | { kind: 'fileList'; ticket: TicketRow }
  | { kind: 'sendContact'; ticket: TicketRow }
  /** `mode`: the draft that gets the photo. */
  | { kind: 'camera'; ticket: TicketRow; mode: Mode }
  | { kind: 'image'; messageId: number; ticketId: number; url: string; name: string; caption: string }

export type Kind = Dialog['kind']
/** Dialogs that are about no ticket. All others close when the ticket under them changes. */
export const independent: readonly Kind[] = ['new', 'closeAll', 'busy']
/** The props of a dialog component. */
export type DialogProps<K extends Kind> = { of: Extract<Dialog, { kind: K }>; onClose: () => void }
