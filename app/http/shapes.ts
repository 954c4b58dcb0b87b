import { ConnectionRow } from '#domain/connection/contract.ts'
import { ContactRow } from '#domain/contact/contract.ts'
import { Stored } from '#domain/contract.ts'
import { HistoryEvent, HistoryRow } from '#domain/history/contract.ts'
import { MessageRow } from '#domain/message/contract.ts'
import { NoteRow } from '#domain/note/contract.ts'
import { queue } from '#domain/queue/contract.ts'
import { quickReply } from '#domain/quick-reply/contract.ts'
import { PhoneLine, PhoneRow } from '#domain/sandbox/contract.ts'
import { SecurityRow } from '#domain/security/contract.ts'
import { SettingRow } from '#domain/setting/contract.ts'
import { tag } from '#domain/tag/contract.ts'
import { Coloured, TicketContact, TicketLogRow, TicketRow } from '#domain/ticket/contract.ts'
import { Me, UserRow } from '#domain/user/contract.ts'
import { WorkRow } from '#domain/work/contract.ts'
import { closed, type Shape } from './bodies.ts'

const body = (shape: unknown) => closed(shape as Shape)

/** What rows and bodies are called where the calls are described. */
export const rows = {
  ...{ Ticket: TicketRow, TicketContact, TicketLog: TicketLogRow, Message: MessageRow, Note: NoteRow, Contact: ContactRow },
  ...{ Tag: tag.Row, QuickReply: quickReply.Row, Queue: queue.Row, User: UserRow, Me, Connection: ConnectionRow, Named: Coloured },
  ...{
    History: HistoryRow,
    HistoryEvent,
    Stored,
    SecurityEvent: SecurityRow,
    Setting: SettingRow,
    Work: WorkRow,
    PhoneMessage: PhoneRow,
    PhoneLine,
  },
  ...{ TagBody: body(tag.Body), QuickReplyBody: body(quickReply.Body), QueueBody: body(queue.Body) },
} as unknown as Record<string, Shape>
