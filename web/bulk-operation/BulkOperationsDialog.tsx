import { Button, DialogBody, ProgressBar } from '@blueprintjs/core'
import { useAtomValue, useSetAtom } from 'jotai'
import type { WorkRow } from '#domain/bulk-operation/contract.ts'
import { api } from '#web/api.ts'
import '#web/area-errors.ts'
import { downloadErrors } from '#web/contact-import/download.ts'
import { errorWords } from '#web/errors.ts'
import { translate, useWords } from '#web/i18n.ts'
import { useAsyncAction } from '#web/ui/async-action.ts'
import { Dialog } from '#web/ui/Dialog.tsx'
import { useReturnFocus } from '#web/ui/returnFocus.ts'
import { Time } from '#web/ui/Time.tsx'
import { resultOf, takeBack, worksAtom, worksList } from './atoms.ts'
import css from './BulkOperationsDialog.module.css'
import { workWords } from './words.ts'

export function BulkOperationsDialog({ onClose }: { onClose: () => void }) {
  const t = useWords(workWords)
  const works = useAtomValue(worksAtom)
  useReturnFocus()
  return (
    <Dialog isOpen title={t(works.some(({ state }) => state === 'running') ? 'title' : 'ended')} onClose={onClose}>
      <DialogBody>
        <ul className={css.works} aria-label={t('title')}>
          {works.map((work) => (
            <Piece key={work.id} work={work} last={works.length === 1} onClose={onClose} />
          ))}
        </ul>
      </DialogBody>
    </Dialog>
  )
}

function Piece({ work, last, onClose }: { work: WorkRow; last: boolean; onClose: () => void }) {
  const t = useWords(workWords)
  const act = useAsyncAction()
  const apply = useSetAtom(worksList.apply)
  const { id, kind, state, total, done, changed, failed, batch, startedAt } = work
  const of = { params: { id } }
  const dismiss = async () => {
    await api.works.dismiss(of)
    apply([{ op: 'drop', id }])
    if (last) onClose()
  }
  return (
    <li className={css.work} data-part="work">
      <p className={css.head}>
        <strong>{t(kind)}</strong> <Time at={startedAt} className={css.at ?? ''} />
      </p>
      {state === 'running' && <ProgressBar value={total === 0 ? 0 : done / total} intent="primary" aria-label={t(kind)} />}
      <p role="status">
        {state === 'running' && t('running', { done, all: total })}
        {state === 'done' && t(resultOf(kind), { n: changed })}
        {state === 'cancelled' && t('stopped', { done, all: total })}
        {failed > 0 && ` · ${t('endedWithErrors', { n: failed })}`}
      </p>
      <div className={css.buttons}>
        {failed > 0 && <Button size="small" text={t('errorsFile')} onClick={() => void act(() => saveErrors(work))()} />}
        {state === 'running' ? (
          <Button
            size="small"
            intent="danger"
            variant="outlined"
            text={t('stop')}
            loading={act.pending}
            onClick={() => void act(() => api.works.cancel(of))()}
          />
        ) : (
          <>
            {batch !== null && changed > 0 && (
              <Button size="small" text={t('undo')} loading={act.pending} onClick={() => void act(() => takeBack(work).then(dismiss))()} />
            )}
            <Button size="small" text={t('dismiss')} onClick={() => void act(dismiss)()} />
          </>
        )}
      </div>
    </li>
  )
}

/** Saves the refused items and the reasons as a CSV table. */
async function saveErrors({ id, kind }: WorkRow): Promise<void> {
  if (kind === 'importContacts') return downloadErrors(id)
  const errors = await api.works.errors({ params: { id } })
  const why = (code: string) => (code in errorWords ? translate(errorWords, code as keyof typeof errorWords) : code)
  const rows = [[translate(workWords, 'item'), translate(workWords, 'why')], ...errors.map(({ item, code }) => [`${item}`, why(code)])]
  const text = rows.map((row) => row.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(';')).join('\r\n')
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([`\ufeff${text}\r\n`], { type: 'text/csv;charset=utf-8' }))
  link.download = `guiche-${id}.csv`
  link.click()
  URL.revokeObjectURL(link.href)
}
