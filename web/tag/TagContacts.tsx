import { Button, DialogBody } from '@blueprintjs/core'
import { Cross } from '@blueprintjs/icons'
import { useAtomValue, useSetAtom } from 'jotai'
import type { ContactRow } from '#domain/contact/contract.ts'
import { type TagRow, tags } from '#domain/tag/contract.ts'
import { api } from '#web/api.ts'
import { everyContact } from '#web/contact/address.ts'
import { contactLists } from '#web/contact/atoms.ts'
import { formattedNumber } from '#web/contact/phone.ts'
import { contactWords } from '#web/contact/words.ts'
import { useWords } from '#web/i18n.ts'
import { useMay } from '#web/session.ts'
import { useAsyncAction } from '#web/ui/async-action.ts'
import { Dialog } from '#web/ui/Dialog.tsx'
import { useReturnFocus } from '#web/ui/returnFocus.ts'
import { ErrorView, Skeleton } from '#web/ui/states.tsx'
import { Table } from '#web/ui/Table.tsx'
import { toastUndo } from '#web/ui/toaster.ts'
import { uiWords } from '#web/ui/words.ts'
import { tagWords } from './words.ts'

/** The contacts with a tag. The tag can be removed from each and restored. */
export function TagContacts({ tag, onClose }: { tag: TagRow; onClose: () => void }) {
  const t = useWords(tagWords)
  const tUi = useWords(uiWords)
  const tContact = useWords(contactWords)
  const may = useMay(tags.release)
  const act = useAsyncAction()
  useReturnFocus()
  const list = contactLists({ ...everyContact, search: '', tagId: tag.id })
  const ids = useAtomValue(list.ids)
  const state = useAtomValue(list.state)
  const error = useAtomValue(list.error)
  const reload = useSetAtom(list.reload)
  const release = ({ id, name }: ContactRow) =>
    act(async () => {
      await api.tags.release({ params: { tagId: tag.id, contactId: id } })
      const again = () => api.contacts.changeTags({ params: { id }, body: { added: [tag.id], taken: [] } })
      toastUndo(t('released', { name, tag: tag.name }), tUi('undo'), again)
    })()
  const title = t('contactsOf', { name: tag.name })
  return (
    <Dialog isOpen title={title} onClose={onClose}>
      <DialogBody>
        {state === 'failed' && <ErrorView error={error} onRetry={reload} />}
        {state === 'loading' && <Skeleton rows={5} height={40} />}
        {state === 'ready' && ids.length === 0 && <p role="status">{t('unused')}</p>}
        {ids.length > 0 && (
          <Table
            list={list}
            label={title}
            columns={[
              { title: tContact('name'), cell: ({ name }) => <span dir="auto">{name}</span> },
              { title: tContact('number'), cell: ({ number }) => <span className="nums">{formattedNumber(number)}</span>, wide: true },
            ]}
            actions={(row) =>
              may && (
                <Button
                  variant="minimal"
                  icon={<Cross />}
                  aria-label={t('release', { name: row.name })}
                  title={t('releaseShort')}
                  onClick={() => void release(row)}
                />
              )
            }
          />
        )}
      </DialogBody>
    </Dialog>
  )
}
