import { atom } from 'jotai'
import type { WorkRow } from '#domain/bulk-operation/contract.ts'
import { workTopic } from '#domain/bulk-operation/topic.ts'
import { api } from '#web/api.ts'
import { translate } from '#web/i18n.ts'
import { createLiveCollection } from '#web/live.ts'
import { store } from '#web/session.ts'
import { live } from '#web/socket.ts'
import { toast, toastUndo } from '#web/ui/toaster.ts'
import { workWords } from './words.ts'

/** The viewer's own bulk operations: running ones, and finished ones that were not dismissed. */
export const worksList = createLiveCollection<WorkRow>({
  topic: workTopic,
  load: async () => ({ rows: await api.works.list(), hasMore: false }),
  order: (a, b) => b.id - a.id,
})

/** Operations that were running at the last update; their end is announced. */
const running = new Set<number>()
export function begun(work: WorkRow): void {
  running.add(work.id)
  store.set(worksList.apply, [{ op: 'put', row: work }])
}
const watchAtom = atom(null)
watchAtom.onMount = () =>
  live.subscribe(workTopic.name, (frames) => {
    for (const { work } of frames) if (work) hear(work as WorkRow)
  })
function hear(work: WorkRow): void {
  if (work.state === 'running') running.add(work.id)
  else if (running.delete(work.id) && work.state === 'done') tell(work)
}
/** The text that counts what an operation of this kind has changed. */
export const resultOf = (kind: WorkRow['kind']) => (kind === 'importContacts' ? 'imported' : 'closed')
function tell(work: WorkRow): void {
  const what = translate(workWords, resultOf(work.kind), { n: work.changed })
  if (work.failed > 0) toast(translate(workWords, 'endedWithErrors', { n: work.failed }), 'warning')
  if (work.batch === null || work.changed === 0) toast(what)
  else toastUndo(what, translate(workWords, 'undo'), () => takeBack(work))
}
/** Undoes a bulk close. Tickets that have changed since stay closed, so the message counts the reopened ones. */
export async function takeBack({ batch, changed }: WorkRow): Promise<void> {
  const { count } = await api.tickets.undoAll({ body: { batch: batch! } })
  toast(translate(workWords, count === changed ? 'reopened' : 'reopenedSome', { n: count, all: changed }))
}

export const worksAtom = atom((get) => {
  get(watchAtom)
  return get(worksList.all)
})
