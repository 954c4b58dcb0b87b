import { Button } from '@blueprintjs/core'
import { Draw, Emoji, ListDetailView, Lock, Microphone, Paperclip, SendMessage, Unlock } from '@blueprintjs/icons'
import { useAtom } from 'jotai'
import { lazy, Suspense, useRef } from 'react'
import { useWords } from '#web/i18n.ts'
import { messageWords } from '#web/message/words.ts'
import { useSettings, useViewer } from '#web/session.ts'
import { Drop } from '#web/ticket/list/Drop.tsx'
import css from './Bar.module.css'
import { signAtom } from './sign.ts'
import { touched } from './touched.ts'

const AttachMenu = lazy(() => import('./AttachMenu.tsx').then(({ AttachMenu }) => ({ default: AttachMenu })))

/** The row below the text: files, emoji, note or message, and the send button. */
export function Bar(of: {
  on: boolean
  empty: boolean
  /** A colleague's answer needs a decision, or files are being prepared. */
  waits: boolean
  /** Files of a reply must not end up in a note, and the reverse. */
  readying: boolean
  isPrivate: boolean
  hint: string
  onFiles: (files: Iterable<File>) => void
  onFileList: () => void
  /** The emoji picker is open above the text. */
  choosing: boolean
  onEmojis: () => void
  onPrivate: () => void
  onRecord: () => void
  onInteractive: () => void
  onSend: () => void
}) {
  const t = useWords(messageWords)
  const settings = useSettings()
  const viewer = useViewer()
  const [sign, setSign] = useAtom(signAtom)
  const picker = useRef<HTMLInputElement>(null)
  const { on, isPrivate } = of
  return (
    <div className={css.bar}>
      <input
        ref={picker}
        type="file"
        multiple
        hidden
        aria-hidden
        tabIndex={-1}
        onChange={({ target }) => {
          of.onFiles([...(target.files ?? [])]) // copied, because resetting the field empties its FileList
          target.value = ''
        }}
      />
      <Drop
        placement="top-start"
        content={() => (
          <Suspense>
            <AttachMenu isPrivate={isPrivate} onDevice={() => picker.current?.click()} onFileList={of.onFileList} />
          </Suspense>
        )}
      >
        <Button variant="minimal" icon={<Paperclip />} disabled={!on} aria-label={t('attach')} title={t('attach')} />
      </Drop>
      <Button
        variant="minimal"
        icon={<Emoji />}
        disabled={!on}
        active={of.choosing}
        aria-expanded={of.choosing}
        aria-label={t('emojis')}
        title={t('emojis')}
        onClick={of.onEmojis}
      />
      <Button
        variant="minimal"
        icon={<ListDetailView />}
        disabled={!on || isPrivate}
        aria-label={t('interactive')}
        title={t('interactive')}
        onClick={of.onInteractive}
      />
      <Button
        variant="minimal"
        className={css.toggle!}
        icon={isPrivate ? <Lock /> : <Unlock />}
        active={isPrivate}
        aria-pressed={isPrivate}
        disabled={of.readying}
        title={t('privateHint')}
        aria-label={t('private')}
        text={t('private')}
        onClick={of.onPrivate}
      />
      {settings.sendSignMessage === 'enabled' && (
        <Button
          variant="minimal"
          className={css.toggle!}
          icon={<Draw />}
          active={sign && !isPrivate}
          aria-pressed={sign}
          disabled={isPrivate}
          title={t('signHint', { name: viewer.name })}
          aria-label={t('sign')}
          text={t('sign')}
          onClick={() => setSign(!sign)}
        />
      )}
      <span className={css.hint} aria-hidden>
        {!touched && on && of.hint}
      </span>
      {of.empty && !isPrivate ? (
        <Button
          variant="minimal"
          icon={<Microphone />}
          disabled={!on}
          aria-label={t('record')}
          title={t('record')}
          // ignores the second click of a double click on the send button, which was here before
          onClick={({ detail }) => detail < 2 && of.onRecord()}
        />
      ) : (
        <Button
          intent={isPrivate ? 'warning' : 'primary'}
          icon={isPrivate ? <Lock /> : <SendMessage />}
          disabled={!on || of.empty || of.waits}
          loading={of.readying}
          aria-label={t(isPrivate ? 'savePrivate' : 'send')}
          title={t(isPrivate ? 'savePrivate' : 'send')}
          {...(isPrivate && { text: t('saveNote') })}
          onClick={of.onSend}
        />
      )}
    </div>
  )
}
