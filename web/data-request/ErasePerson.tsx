import { Button, Callout, DialogBody, DialogFooter, FormGroup, InputGroup } from '@blueprintjs/core'
import { useAtomValue, useSetAtom } from 'jotai'
import { type FormEvent, useId, useState } from 'react'
import { Link } from 'wouter'
import type { ContactRow } from '#domain/contact/contract.ts'
import { type DataRequestRow, type ErasureCounts, erasureCounts } from '#domain/data-request/contract.ts'
import { type ApiError, api } from '#web/api.ts'
import { amount, useLanguage, useWords } from '#web/i18n.ts'
import { useAsyncAction } from '#web/ui/async-action.ts'
import { Dialog } from '#web/ui/Dialog.tsx'
import { createRemoteAtom } from '#web/ui/remote-atom.ts'
import { useReturnFocus } from '#web/ui/returnFocus.ts'
import { ErrorView, Skeleton } from '#web/ui/states.tsx'
import { failure } from '#web/ui/toaster.ts'
import { uiWords } from '#web/ui/words.ts'
import css from './DataRequest.module.css'
import { RequestProgress } from './RequestProgress.tsx'
import { dataRequestWords, placeWords } from './words.ts'

type Of = { contact: Pick<ContactRow, 'id' | 'name'>; onErased?: () => void; onClose: () => void }

/** Shows what an erasure removes, asks for the name of the person, and erases (A-ERASE-01). */
export function ErasePerson({ contact: { id, name }, onErased, onClose }: Of) {
  const t = useWords(dataRequestWords)
  const tUi = useWords(uiWords)
  const formId = useId()
  const act = useAsyncAction()
  const [previewAtom] = useState(() => createRemoteAtom(() => api.dataRequests.preview({ params: { id } })))
  const preview = useAtomValue(previewAtom)
  const reload = useSetAtom(previewAtom.reload)
  const [typed, setTyped] = useState('')
  const [problem, setProblem] = useState<string | null>(null)
  const [started, setStarted] = useState<DataRequestRow | null>(null)
  const [isErased, setIsErased] = useState(false)
  useReturnFocus()
  const refused = (refusal: ApiError) => {
    if (refusal.code === 'ERR_ERASURE_NAME') setProblem(failure(refusal))
    else if (refusal.code === 'ERR_OTHER_OPEN_TICKET') void reload()
    else return false
    return true
  }
  const erase = act(async () => setStarted(await api.dataRequests.erase({ params: { id }, body: { name: typed } })), { refused })
  const close = () => {
    onClose()
    if (isErased) onErased?.()
  }
  const isNamed = typed.trim() === name.trim()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (isNamed) void erase()
  }
  const type = (text: string) => {
    setTyped(text)
    setProblem(null)
  }
  const mayErase = preview.state === 'ready' && preview.value.ticket === null
  return (
    <Dialog isOpen title={t('eraseTitle', { name })} onClose={close}>
      <DialogBody>
        {started ? (
          <RequestProgress started={started} onDone={() => setIsErased(true)} />
        ) : preview.state === 'failed' ? (
          <ErrorView error={preview.error} onRetry={reload} />
        ) : preview.state === 'loading' ? (
          <Skeleton rows={6} height={28} />
        ) : preview.value.ticket ? (
          <ActiveTicket uuid={preview.value.ticket.uuid} onClose={onClose} />
        ) : (
          <form id={formId} className={css.body} onSubmit={submit}>
            <Preview counts={preview.value.counts} />
            <NameField name={name} typed={typed} problem={problem} onType={type} />
          </form>
        )}
      </DialogBody>
      <DialogFooter
        actions={
          <>
            <Button text={tUi(started ? 'close' : 'cancel')} onClick={close} />
            {!started && mayErase && (
              <Button type="submit" form={formId} intent="danger" text={t('eraseVerb')} loading={act.pending} disabled={!isNamed} />
            )}
          </>
        }
      />
    </Dialog>
  )
}

function ActiveTicket({ uuid, onClose }: { uuid: string; onClose: () => void }) {
  const t = useWords(dataRequestWords)
  return (
    <Callout intent="warning" role="alert">
      {t('activeTicket')}{' '}
      <Link href={`/tickets/${uuid}`} onClick={onClose}>
        {t('openTicket')}
      </Link>
    </Callout>
  )
}

function Preview({ counts }: { counts: ErasureCounts }) {
  const t = useWords(dataRequestWords)
  const tPlace = useWords(placeWords)
  const language = useLanguage()
  const found = erasureCounts.filter((place) => counts[place] > 0)
  return (
    <>
      <section>
        <h3>{t('goes')}</h3>
        {found.length > 0 && (
          <dl className={css.places} data-part="erasure-places">
            {found.map((place) => [
              <dt key={`${place} name`}>{tPlace(place)}</dt>,
              <dd key={place} className="nums">
                {amount(counts[place], language)}
              </dd>,
            ])}
          </dl>
        )}
        <p className={css.quiet}>{t('alsoContact')}</p>
      </section>
      <section>
        <h3>{t('stays')}</h3>
        <p className={css.quiet}>{t('staysText')}</p>
      </section>
      <p className={css.final}>{t('final')}</p>
    </>
  )
}

type NameOf = { name: string; typed: string; problem: string | null; onType: (text: string) => void }
function NameField({ name, typed, problem, onType }: NameOf) {
  const t = useWords(dataRequestWords)
  const id = useId()
  if (name.trim() === '') return null
  return (
    <FormGroup
      className={css.name ?? ''}
      label={t('typeName', { name: name.trim() })}
      labelFor={id}
      {...(problem !== null && { intent: 'danger', helperText: <span role="alert">{problem}</span> })}
    >
      <InputGroup id={id} autoFocus autoComplete="off" maxLength={250} value={typed} onValueChange={onType} />
    </FormGroup>
  )
}
