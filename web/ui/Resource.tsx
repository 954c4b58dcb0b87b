import { Button } from '@blueprintjs/core'
import { Plus } from '@blueprintjs/icons'
import { useAtom, useAtomValue, useSetAtom } from 'jotai'
import { useState } from 'react'
import type { Static, TObject } from 'typebox'
import { useWords } from '#web/i18n.ts'
import { useMay } from '#web/session.ts'
import { Confirm } from './Confirm.tsx'
import { bodyOf } from './changed.ts'
import { FormDialog } from './FormDialog.tsx'
import { Head } from './Head.tsx'
import { useKeys } from './keys.ts'
import { useOpened } from './opened.ts'
import { RowButtons } from './RowButtons.tsx'
import { useRecordDeleted } from './record-deleted.ts'
import type { ResourceOf } from './resource-of.ts'
import { useRowOrder } from './row-order-action.ts'
import { Empty, ErrorView, Skeleton } from './states.tsx'
import { Table } from './Table.tsx'
import { toast, toastFailure } from './toaster.ts'
import { uiWords } from './words.ts'

/** The screen of a simple list: search, add, edit and delete. A screen that needs more is written by hand. */
export function ResourceScreen<R extends { id: number; version: number }, B extends TObject>(of: ResourceOf<R, B>) {
  const t = useWords(uiWords)
  const may = useMay(of.may)
  const [text, setText] = useAtom(of.list.search.text)
  const wanted = useAtomValue(of.list.search.settled)
  const list = of.list.lists(wanted)
  const ids = useAtomValue(list.ids)
  const state = useAtomValue(list.state)
  const error = useAtomValue(list.error)
  const reload = useSetAtom(list.reload)
  const [doomed, setDoomed] = useState<R | null>(null)
  const editable = (row: R) => may && (of.mayEdit?.(row) ?? true)
  const removable = (row: R) => editable(row) && (of.mayRemove?.(row) ?? true)
  const [opened, edit] = useOpened<R>(of.calls.find, (row) => (row === 'new' ? may : editable(row)))
  const row = opened === 'new' ? null : opened
  const edited = row && { params: { id: row.id } }
  const gone = useRecordDeleted(edited?.params.id ?? null, ids, of.calls.find)
  const handleSave = (body: Static<B>, change: Partial<Static<B>>) =>
    (edited ? of.calls.update({ ...edited, body: change }) : of.calls.create({ body })).then(() => toast(t('saved')))
  const open = (row: R) =>
    of.partial ? void of.calls.find({ params: { id: row.id } }).then((whole) => edit(whole as R), toastFailure) : edit(row)
  const order = useRowOrder(list, of.texts.title, may ? of.arrange : undefined)
  const addButton = may && <Button intent="primary" icon={<Plus />} text={of.texts.add} onClick={() => edit('new')} />
  useKeys(of.texts.title, may ? [{ keys: 'n', label: of.texts.add, run: () => edit('new') }] : [])
  return (
    <>
      <Head title={of.texts.title} search={text} onSearch={setText}>
        {addButton}
      </Head>
      {state === 'failed' && <ErrorView error={error} onRetry={reload} />}
      {state === 'loading' && <Skeleton rows={8} height={40} />}
      {state === 'ready' && ids.length === 0 && (
        <Empty icon={of.icon} title={wanted ? t('noneFound', { search: wanted }) : of.texts.empty} action={!wanted && addButton}>
          {!wanted && of.texts.lead}
        </Empty>
      )}
      {ids.length > 0 && (
        <Table
          list={list}
          columns={of.columns}
          order={wanted === '' ? order : null}
          named={of.name}
          label={of.texts.title}
          onOpen={(row) => editable(row) && open(row)}
          onRemove={(row) => removable(row) && setDoomed(row)}
          actions={(row) =>
            editable(row) && (
              <RowButtons name={of.name(row)} onEdit={() => open(row)} onRemove={removable(row) ? () => setDoomed(row) : null} />
            )
          }
        />
      )}
      {opened && (
        <FormDialog
          title={edited ? of.texts.edit : of.texts.add}
          body={of.body}
          start={row ? bodyOf(of.body, row) : of.blank()}
          edits={row && edited ? { version: row.version, reread: () => of.calls.find(edited) } : undefined}
          gone={gone ? t('wasRemoved') : undefined}
          onSubmit={handleSave}
          onClose={() => edit(null)}
          {...{ beside: of.beside ?? {}, short: of.short ?? {}, rules: of.rules ?? {}, mergers: of.mergers ?? {} }}
        >
          {of.children}
        </FormDialog>
      )}
      {doomed && of.removal?.(doomed, () => setDoomed(null))}
      {doomed && !of.removal && (
        <Confirm
          title={t('removeOne', { name: of.name(doomed) })}
          question={typeof of.warn === 'function' ? of.warn(doomed) : (of.warn ?? t('askRemove'))}
          verb={t('remove')}
          onClose={() => setDoomed(null)}
          onConfirm={() => of.calls.remove({ params: { id: doomed.id } })}
        />
      )}
    </>
  )
}
