import { isStored } from '#domain/answers.ts'
import type { AcceptedResponse } from '#domain/contract.ts'
import type { MessageRow } from '#domain/message/contract.ts'
import { messageTopic } from '#domain/message/topic.ts'
import { addPendingChange } from '#web/pending-changes.ts'

/** What was done to a message, as the server shows it, or as it will where it is only stored. `shows`: whether a row has come to that. */
export function changed(answer: MessageRow | AcceptedResponse, expected: MessageRow, shows: (row: MessageRow) => boolean): MessageRow {
  if (!isStored(answer)) return answer
  addPendingChange(messageTopic, { op: 'put', row: expected }, shows)
  return expected
}
