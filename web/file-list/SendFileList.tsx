import { Button, DialogBody, DialogFooter, FormGroup } from '@blueprintjs/core'
import { Chat, Document as DocumentIcon, Music, Paperclip, SendMessage, Video } from '@blueprintjs/icons'
import { useAtomValue, useSetAtom } from 'jotai'
import { useId, useState } from 'react'
import type { Viewer } from '#domain/access.ts'
import type { FileListRow } from '#domain/file-list/contract.ts'
import type { TicketRow } from '#domain/ticket/contract.ts'
import { filled } from '#domain/ticket/rules.ts'
import { useWords } from '#web/i18n.ts'
import { endAtom } from '#web/message/atoms.ts'
import { signAtom } from '#web/message/composer/sign.ts'
import { out } from '#web/message/sending.ts'
import { knownOf } from '#web/quick-reply/replies.ts'
import { useSettings, useViewer } from '#web/session.ts'
import type { DialogProps } from '#web/ticket/dialogs/dialog.ts'
import { Dialog } from '#web/ui/Dialog.tsx'
import { fileAt } from '#web/ui/files.ts'
import { useIsGone } from '#web/ui/gone.ts'
import { HTMLSelect } from '#web/ui/HTMLSelect.tsx'
import { useHeldFocus } from '#web/ui/heldFocus.ts'
import { Empty, ErrorView, Skeleton } from '#web/ui/states.tsx'
import { uiWords } from '#web/ui/words.ts'
import { fileListChoices } from './choices.ts'
import css from './SendFileList.module.css'
import { fileListWords } from './words.ts'

const icons = { image: null, audio: <Music />, video: <Video /> }
const kindOf = (mediaType: string | null) => (mediaType?.split('/')[0] ?? '') as keyof typeof icons
type Whole = FileListRow['options'][number] & { path: string }

/** Sends the text of a list and then its files, each as one message like the bot (A-BOT-07), after a preview. */
export function SendFileList({ of: { ticket }, onClose }: DialogProps<'fileList'>) {
  const t = useWords(fileListWords)
  const tUi = useWords(uiWords)
  const id = useId()
  const viewer = useViewer()
  const lists = useAtomValue(fileListChoices.all)
  const state = useAtomValue(fileListChoices.state)
  const error = useAtomValue(fileListChoices.error)
  const reload = useSetAtom(fileListChoices.reload)
  const [chosen, setChosen] = useState<number | null>(null)
  const list = lists.find((one) => one.id === chosen) ?? lists[0]
  const contents = contentsOf(list, ticket, viewer)
  const { text, files, without } = contents
  const n = files.length + (text === '' ? 0 : 1)
  const { send, problem, isFetching } = useSend(ticket, contents, onClose)
  return (
    <Dialog isOpen title={t('sendTitle', { name: ticket.contact.name })} onClose={onClose}>
      <DialogBody>
        {state === 'failed' && <ErrorView error={error} onRetry={reload} />}
        {state === 'loading' && lists.length === 0 && <Skeleton rows={4} height={44} />}
        {state === 'ready' && lists.length === 0 && (
          <Empty icon={<Paperclip size={20} />} title={t('empty')}>
            {t('askAdmin')}
          </Empty>
        )}
        {list && (
          <>
            <FormGroup label={t('which')} labelFor={id}>
              <HTMLSelect id={id} fill autoFocus value={list.id} onChange={({ target }) => setChosen(Number(target.value))}>
                {lists.map((one) => (
                  <option key={one.id} value={one.id}>
                    {one.name}
                  </option>
                ))}
              </HTMLSelect>
            </FormGroup>
            {n === 0 ? <p className={css.without}>{t('noneToSend')}</p> : <Leaves text={text} files={files} />}
            {without.length > 0 && <p className={css.without}>{t('without', { names: without.join(', ') })}</p>}
          </>
        )}
        {problem && (
          <p className={css.problem} role="alert">
            {problem}
          </p>
        )}
      </DialogBody>
      <DialogFooter
        actions={
          <>
            <Button text={tUi('cancel')} onClick={onClose} />
            <Button
              intent="primary"
              icon={<SendMessage />}
              disabled={n === 0}
              loading={isFetching}
              text={n === 1 ? t('sendOne') : t('sendMany', { n })}
              onClick={() => void send()}
            />
          </>
        }
      />
    </Dialog>
  )
}

type Contents = ReturnType<typeof contentsOf>
/** The messages of a list for one ticket. `without`: the names of options that have no file. */
function contentsOf(list: FileListRow | undefined, ticket: TicketRow, viewer: Viewer) {
  const options = list?.options ?? []
  return {
    text: list ? filled(list.message, knownOf(ticket, viewer)).trim() : '',
    files: options.filter((one): one is Whole => one.path !== null),
    without: options.filter(({ path }) => path === null).map(({ name }) => name),
  }
}

/** Sends the messages of a list in order. All files must load, or nothing is sent. */
function useSend(ticket: TicketRow, { text, files }: Contents, onSent: () => void) {
  const t = useWords(fileListWords)
  const settings = useSettings()
  const sign = useAtomValue(signAtom)
  const setEnd = useSetAtom(endAtom)
  const [problem, setProblem] = useState<string | null>(null)
  const [isFetching, setIsFetching] = useState(false)
  const isGone = useIsGone()
  useHeldFocus(isFetching)
  async function send(): Promise<void> {
    setProblem(null)
    setIsFetching(true)
    try {
      const whole = await Promise.all(files.map(({ path, fileName, name }) => fileAt(path, fileName ?? name)))
      if (isGone()) return // cancelled, or another ticket was opened
      const item = {
        ...{ ticketId: ticket.id, uuid: ticket.uuid, to: ticket.contact.name, seen: ticket.revision },
        ...{ quoted: null, isPrivate: false, anyway: false, group: crypto.randomUUID() },
      }
      const isSigned = settings.sendSignMessage === 'enabled' && sign
      if (text !== '') out.send({ ...item, body: text, files: [], sign: isSigned })
      for (const file of whole) out.send({ ...item, body: '', files: [file], sign: false })
      setEnd({ ticketId: ticket.id })
      onSent()
    } catch {
      setProblem(t('fileAway'))
    } finally {
      setIsFetching(false)
    }
  }
  return { send, problem, isFetching }
}

/** The messages that leave, in order. */
function Leaves({ text, files }: Pick<Contents, 'text' | 'files'>) {
  const t = useWords(fileListWords)
  return (
    <ol className={css.leaves} aria-label={t('leaves')}>
      {text !== '' && (
        <li>
          <span className={css.mark}>
            <Chat />
          </span>
          <span className={css.text}>{text}</span>
        </li>
      )}
      {files.map((one) => (
        <li key={one.id}>
          {kindOf(one.mediaType) === 'image' ? (
            <img className={css.mark} src={one.path} alt="" width={36} height={36} />
          ) : (
            <span className={css.mark}>{icons[kindOf(one.mediaType)] ?? <DocumentIcon />}</span>
          )}
          <span className={css.name}>
            <b>{one.name}</b>
            {one.fileName !== null && one.fileName !== one.name && <small>{one.fileName}</small>}
          </span>
        </li>
      ))}
    </ol>
  )
}
