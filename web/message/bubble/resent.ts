import type { MessageRow } from '#domain/message/contract.ts'

type Row = Pick<MessageRow, 'id' | 'sentAgain' | 'failed' | 'uncertain' | 'ack'>
/** What became of a message that was sent again. */
export type Resent = { id: number; outcome: 'pending' | 'sent' | 'failed' | 'uncertain' }

/** The last attempt to send a message again. It counts as sent only when the channel has it. */
export function lastAttempt(first: number, rowOf: (id: number) => Row | null): Resent {
  let [id, row] = [first, rowOf(first)]
  while (row !== null && row.sentAgain !== null) {
    id = row.sentAgain
    row = rowOf(id)
  }
  if (row === null) return { id, outcome: 'pending' }
  return { id, outcome: row.failed !== null ? 'failed' : row.uncertain ? 'uncertain' : row.ack > 0 ? 'sent' : 'pending' }
}
