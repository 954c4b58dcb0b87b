import { isStored } from '#domain/answers.ts'
import type { AcceptedResponse } from '#domain/contract.ts'
import type { MessageRow } from '#domain/message/contract.ts'
import { messageTopic } from '#domain/message/topic.ts'
import { addPendingChange } from '#web/pending-changes.ts'

/**
 * The changed message from the answer, or the expected one if the read models lag. `shows`: whether a row contains
 * the change.
 */
export function changed(answer: MessageRow | AcceptedResponse, expected: MessageRow, shows: (row: MessageRow) => boolean): MessageRow {
  if (!isStored(answer)) return answer
  addPendingChange(messageTopic, { op: 'put', row: expected }, shows)
  return expected
}
