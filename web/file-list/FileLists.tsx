import { Paperclip } from '@blueprintjs/icons'
import { type RefObject, useEffect, useRef } from 'react'
import type { Static } from 'typebox'
import * as Type from 'typebox'
import { Id, Name, Nullable } from '#domain/contract.ts'
import { type FileListRow, fileList } from '#domain/file-list/contract.ts'
import { api } from '#web/api.ts'
import { amount, useLanguage, useWords } from '#web/i18n.ts'
import { CustomerTextField } from '#web/message/customer-text/CustomerTextField.tsx'
import type { FormFile } from '#web/ui/changed.ts'
import { TextField } from '#web/ui/fields.tsx'
import { ResourceScreen } from '#web/ui/Resource.tsx'
import { resourceList } from '#web/ui/resourceList.ts'
import { useSent } from '#web/ui/sent.ts'
import table from '#web/ui/Table.module.css'
import { Entries } from './Entries.tsx'
import { RemoveFileList } from './RemoveFileList.tsx'
import { fileListWords } from './words.ts'

const list = resourceList<FileListRow>(fileList, async (query) => {
  const { files, hasMore } = await api.fileLists.list({ query })
  return { rows: files, hasMore }
})

const { name, message } = fileList.Body.properties
const Entry = Type.Object({ id: Nullable(Id), name: Name(255), file: Type.Unsafe<FormFile>({}) })
const Form = Type.Object({ name, message, options: Type.Array(Entry, { maxItems: 30 }) })
type Written = Static<typeof Form>
type Saved = RefObject<FileListRow | null>

export function FileLists() {
  const t = useWords(fileListWords)
  const language = useLanguage()
  const sent = useSent()
  const saved: Saved = useRef(null)
  /** Uploads the files one after another after the list is saved. */
  async function filled(row: FileListRow, options: Written['options'] = []): Promise<void> {
    saved.current = row
    for (const [at, { file }] of options.entries()) {
      if (!(file instanceof File)) continue
      const of = { params: { id: row.id }, body: { id: row.options[at]!.id } }
      saved.current = await sent(file, (how) => api.fileLists.attach(of, how))
    }
    saved.current = null
  }
  const calls = {
    find: api.fileLists.find,
    remove: ({ params }: { params: { id: number } }) => api.fileLists.remove({ params, query: {} }),
    async create({ body }: { body: Written }) {
      const given = { ...body, options: bare(body.options) }
      const again = saved.current
      const row = again ? api.fileLists.update({ params: { id: again.id }, body: given }) : api.fileLists.create({ body: given })
      await filled(await row, body.options)
    },
    async update({ params, body: { options, ...change } }: { params: { id: number }; body: Partial<Written> }) {
      const body = { ...change, ...(options && { options: bare(options) }), ...(saved.current && { version: saved.current.version }) }
      await filled(await api.fileLists.update({ params, body }), options)
    },
  }
  return (
    <ResourceScreen
      list={list}
      calls={calls}
      body={Form}
      may={fileList.calls.create}
      texts={{ title: t('title'), add: t('add'), edit: t('edit'), empty: t('empty'), lead: t('lead') }}
      icon={<Paperclip size={20} />}
      blank={() => ({ name: '', message: '', options: [] })}
      beside={{ ERR_DUPLICATED_NAME: 'name' }}
      short={{ name: (n) => t('short', { n }) }}
      name={({ name }) => name}
      removal={(row, close) => <RemoveFileList key={row.id} list={row} onClose={close} />}
      columns={[
        { title: t('name'), cell: ({ name }) => <span dir="auto">{name}</span> },
        { title: t('message'), cell: ({ message }) => <span className={table.muted}>{message}</span>, reads: true, wide: true },
        { title: t('files'), cell: ({ options }) => amount(options.length, language), num: true },
      ]}
    >
      <Forgets saved={saved} />
      <TextField name="name" label={t('name')} autoFocus />
      <CustomerTextField name="message" label={t('message')} hint={t('messageHint')} />
      <Entries />
    </ResourceScreen>
  )
}

const bare = (options: Written['options']) =>
  options.map(({ id, name, file }) => ({ ...(id !== null && { id }), name, ...(file === null && { path: null }) }))

/** Remembers what is stored when an upload failed, so a retry repeats nothing. It lasts while the form is open. */
function Forgets({ saved }: { saved: Saved }) {
  useEffect(
    () => () => {
      saved.current = null
    },
    [saved],
  )
  return null
}
