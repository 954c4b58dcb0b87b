import { Button } from '@blueprintjs/core'
import { Draw, Emoji, ListDetailView, Lock, Microphone, Paperclip, SendMessage, Unlock } from '@blueprintjs/icons'
import { useAtom } from 'jotai'
import { lazy, Suspense, useRef } from 'react'
import { useWords } from '#web/i18n.ts'
import { messageWords } from '#web/message/words.ts'
import { useSettings, useViewer } from '#web/session.ts'
import { Drop } from '#web/ticket/list/Drop.tsx'
import { touched } from '#web/ui/touched.ts'
import css from './Bar.module.css'
import { signAtom } from './sign.ts'

const AttachMenu = lazy(() => import('./AttachMenu.tsx').then(({ AttachMenu }) => ({ default: AttachMenu })))

type BarProps = {
  isOn: boolean
  isEmpty: boolean
  /** A colleague's answer needs a decision, or files are being prepared. */
  isWaiting: boolean
  /** Files of a reply must not end up in a note, and the reverse. */
  isPreparing: boolean
  isPrivate: boolean
  hint: string
  onFiles: (files: Iterable<File>) => void
  onCamera: () => void
  onFileList: () => void
  onContact: () => void
  /** The emoji picker is open above the text. */
  isChoosing: boolean
  onEmojis: () => void
  onPrivate: () => void
  onRecord: () => void
  onInteractive: () => void
  onSend: () => void
}

/** The row below the text: files, emoji, note or message, and the send button. */
export function Bar(of: BarProps) {
  const t = useWords(messageWords)
  const { isOn, isPrivate } = of
  return (
    <div className={css.bar}>
      <AttachButton {...of} />
      <Button
        variant="minimal"
        icon={<Emoji />}
        disabled={!isOn}
        active={of.isChoosing}
        aria-expanded={of.isChoosing}
        aria-label={t('emojis')}
        title={t('emojis')}
        onClick={of.onEmojis}
      />
      <Button
        variant="minimal"
        icon={<ListDetailView />}
        disabled={!isOn || isPrivate}
        aria-label={t('interactive')}
        title={t('interactive')}
        onClick={of.onInteractive}
      />
      <ModeButtons {...of} />
      <span className={css.hint} aria-hidden>
        {!touched && isOn && of.hint}
      </span>
      <SendButton {...of} />
    </div>
  )
}

function AttachButton({ isOn, isPrivate, onFiles, onCamera, onFileList, onContact }: BarProps) {
  const t = useWords(messageWords)
  const picker = useRef<HTMLInputElement>(null)
  return (
    <>
      <input
        ref={picker}
        type="file"
        multiple
        hidden
        aria-hidden
        tabIndex={-1}
        onChange={({ target }) => {
          onFiles([...(target.files ?? [])]) // copied, because resetting the field empties its FileList
          target.value = ''
        }}
      />
      <Drop
        placement="top-start"
        content={() => (
          <Suspense>
            <AttachMenu {...{ isPrivate, onCamera, onFileList, onContact }} onDevice={() => picker.current?.click()} />
          </Suspense>
        )}
      >
        <Button variant="minimal" icon={<Paperclip />} disabled={!isOn} aria-label={t('attach')} title={t('attach')} />
      </Drop>
    </>
  )
}

function ModeButtons({ isPrivate, isPreparing, onPrivate }: BarProps) {
  const t = useWords(messageWords)
  const settings = useSettings()
  const viewer = useViewer()
  const [sign, setSign] = useAtom(signAtom)
  return (
    <>
      <Button
        variant="minimal"
        className={css.toggle!}
        icon={isPrivate ? <Lock /> : <Unlock />}
        active={isPrivate}
        aria-pressed={isPrivate}
        disabled={isPreparing}
        title={t('privateHint')}
        aria-label={t('private')}
        text={t('private')}
        onClick={onPrivate}
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
    </>
  )
}

function SendButton({ isOn, isEmpty, isWaiting, isPreparing, isPrivate, onRecord, onSend }: BarProps) {
  const t = useWords(messageWords)
  if (isEmpty && !isPrivate)
    return (
      <Button
        variant="minimal"
        icon={<Microphone />}
        disabled={!isOn}
        aria-label={t('record')}
        title={t('record')}
        // ignores the second click of a double click on the send button, which was here before
        onClick={({ detail }) => detail < 2 && onRecord()}
      />
    )
  return (
    <Button
      intent={isPrivate ? 'warning' : 'primary'}
      icon={isPrivate ? <Lock /> : <SendMessage />}
      disabled={!isOn || isEmpty || isWaiting}
      loading={isPreparing}
      aria-label={t(isPrivate ? 'savePrivate' : 'send')}
      title={t(isPrivate ? 'savePrivate' : 'send')}
      {...(isPrivate && { text: t('saveNote') })}
      onClick={onSend}
    />
  )
}
