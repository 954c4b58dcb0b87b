import { translate } from '#web/i18n.ts'
import { filesOf } from '#web/message/sending.ts'
import { tabs } from '#web/message/tabs.ts'
import { store, viewer } from '#web/session.ts'
import { dropTape, putPart, type RecordingPart, tapesOf } from './cupboard.ts'
import { attachmentOf } from './drafts.ts'
import { noticesOf } from './Notices.tsx'
import { composerWords } from './words.ts'

/** Stores a running recording in parts, so that an abruptly closed page loses at most the last second. */
export function keepTape(ticketId: number, name: string, type: string): { add: (data: Blob) => void; end: () => void } {
  const userId = viewer().id
  const tape = { tab: tabs.mine, ticketId, name, type }
  let at = 0
  let written: Promise<unknown> = Promise.resolve()
  return {
    add: (data) => {
      const part: RecordingPart = { ...tape, at: at++, data }
      written = written.then(() => putPart(userId, part))
    },
    end: () => void written.then(() => dropTape(userId, tape)),
  }
}

/** Attaches the recordings of closed pages to their tickets. */
export async function findTapes(): Promise<void> {
  const userId = viewer().id
  for (const { tape, parts } of await tapesOf(userId)) {
    if (tape.tab === tabs.mine || (await tabs.stands(tape.tab))) continue
    await navigator.locks.request(`tape-${tape.tab}-${tape.name}`, { ifAvailable: true }, async (lock) => {
      if (!lock || (await tapesOf(userId)).every((one) => one.tape.name !== tape.name)) return // another tab has found it
      const file = new File(parts, tape.name, { type: tape.type })
      store.set(filesOf(tape.ticketId, 'reply'), (now) => [...now, attachmentOf(file)])
      store.set(noticesOf(tape.ticketId), (now) => [...now, { text: translate(composerWords, 'recordingFound') }])
      await dropTape(userId, tape)
    })
  }
}
