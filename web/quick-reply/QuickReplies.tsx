import { Lightning, Paperclip } from '@blueprintjs/icons'
import { useAtomValue } from 'jotai'
import { useWatch } from 'react-hook-form'
import type { Static } from 'typebox'
import * as Type from 'typebox'
import {
  isOneWord,
  mayEditReply,
  type QuickReplyRow,
  quickReply,
  quickReplyTopic,
  sameShortcode,
  seesReply,
} from '#domain/quick-reply/contract.ts'
import { api } from '#web/api.ts'
import '#web/area-errors.ts'
import { errorWords } from '#web/errors.ts'
import { useWords } from '#web/i18n.ts'
import { CustomerTextField } from '#web/message/customer-text/CustomerTextField.tsx'
import { useViewer, viewer } from '#web/session.ts'
import { Confirm } from '#web/ui/Confirm.tsx'
import type { FormFile } from '#web/ui/changed.ts'
import dialog from '#web/ui/Dialog.module.css'
import { FileField } from '#web/ui/FileField.tsx'
import { SwitchField, TextField } from '#web/ui/fields.tsx'
import { ResourceScreen } from '#web/ui/Resource.tsx'
import { resourceList } from '#web/ui/resourceList.ts'
import { useSent } from '#web/ui/sent.ts'
import type { Column } from '#web/ui/Table.tsx'
import { uiWords } from '#web/ui/words.ts'
import css from './QuickReplies.module.css'
import { allReplies } from './replies.ts'
import { replyWords } from './words.ts'

const list = resourceList<QuickReplyRow>(
  { ...quickReply, topic: quickReplyTopic },
  async (query) => {
    const { records, hasMore } = await api.quickReplies.list({ query })
    return { rows: records, hasMore }
  },
  { belongs: (row) => seesReply(viewer(), row) },
)

/** The body of the call and the file. */
const Form = Type.Object({ ...quickReply.Body.properties, file: Type.Unsafe<FormFile>({}) })
type Written = Static<typeof Form>

export function QuickReplies() {
  const t = useWords(replyWords)
  const tError = useWords(errorWords)
  const me = useViewer()
  const sent = useSent()
  const columns = useColumns()
  const calls = {
    ...api.quickReplies,
    create: ({ body: { file, ...body } }: { body: Written }) => sent(file, (how) => api.quickReplies.create({ body }, how)),
    update: ({ body: { file, ...body }, params }: { params: { id: number }; body: Partial<Written> }) =>
      sent(file, (how) => api.quickReplies.update({ params, body: { ...body, ...(file === null && { removeFile: true }) } }, how)),
  }
  return (
    <ResourceScreen
      list={list}
      calls={calls}
      body={Form}
      may={quickReply.calls.create}
      mayEdit={(row) => mayEditReply(me, row)}
      texts={{ title: t('title'), add: t('add'), edit: t('edit'), empty: t('empty'), lead: t('lead') }}
      icon={<Lightning size={20} />}
      blank={() => ({ shortcode: '', message: '', geral: false, visao: false, status: true, userId: me.id, file: null })}
      beside={{ ERR_DUPLICATED_NAME: 'shortcode', ERR_SHORTCODE_SPACES: 'shortcode' }}
      rules={{ shortcode: (typed) => (isOneWord(String(typed)) ? null : tError('ERR_SHORTCODE_SPACES')) }}
      name={({ shortcode }) => `/${shortcode}`}
      removal={(row, close) => <Removal row={row} onClose={close} />}
      columns={columns}
    >
      <Shortcode />
      <CustomerTextField name="message" label={t('message')} />
      <FileField label={t('file')} hint={t('fileHint')} />
      <SwitchField name="geral" label={t('geral')} hint={t('geralHint')} />
      <SwitchField name="visao" label={t('visao')} hint={t('visaoHint')} />
      <SwitchField name="status" label={t('status')} hint={t('statusHint')} />
    </ResourceScreen>
  )
}

function useColumns(): Column<QuickReplyRow>[] {
  const t = useWords(replyWords)
  return [
    {
      title: t('shortcode'),
      cell: ({ shortcode }) => (
        <code className={css.code} dir="auto">
          /{shortcode}
        </code>
      ),
    },
    {
      title: t('message'),
      cell: ({ message, mediaName }) => (
        <>
          {mediaName && <Paperclip className={css.clip ?? ''} size={12} title={mediaName} />}
          <span dir="auto">{message}</span>
        </>
      ),
      reads: true,
    },
    {
      title: t('file'),
      cell: ({ mediaPath, mediaName }) =>
        mediaPath && (
          <a href={mediaPath} target="_blank" rel="noreferrer" dir="auto">
            {mediaName}
          </a>
        ),
      wide: true,
    },
    {
      title: t('kind'),
      cell: ({ geral, visao, status }) => t(!status ? 'notOffered' : geral ? 'shared' : visao ? 'visible' : 'mine'),
      wide: true,
    },
  ]
}

function Removal({ row, onClose }: { row: QuickReplyRow; onClose: () => void }) {
  const t = useWords(replyWords)
  const tUi = useWords(uiWords)
  const { id, shortcode, message, mediaName, geral, visao } = row
  return (
    <Confirm
      title={tUi('removeOne', { name: `/${shortcode}` })}
      question={
        <>
          <p className={dialog.text}>{t(geral ? 'goesForAll' : visao ? 'goesForSome' : 'goesForMe')}</p>
          <blockquote className={css.gone} dir="auto">
            {message}
          </blockquote>
          {mediaName && (
            <p className={dialog.text} dir="auto">
              <Paperclip size={12} title={t('file')} /> {mediaName}
            </p>
          )}
        </>
      }
      verb={tUi('remove')}
      onClose={onClose}
      onConfirm={() => api.quickReplies.remove({ params: { id } })}
    />
  )
}

/** Warns that a shortcut exists both as a personal and as a shared reply; the composer then offers both. */
function Shortcode() {
  const t = useWords(replyWords)
  const [shortcode, geral] = useWatch<{ shortcode: string; geral: boolean }, ['shortcode', 'geral']>({ name: ['shortcode', 'geral'] })
  const shared = useAtomValue(allReplies.all).find((row) => row.geral && sameShortcode(row.shortcode, shortcode))
  return (
    <TextField
      name="shortcode"
      label={t('shortcode')}
      autoFocus
      {...(shared && !geral && { hint: <span role="status">{t('alsoShared')}</span> })}
    />
  )
}
