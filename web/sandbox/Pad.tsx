import { Button, Menu, MenuItem } from '@blueprintjs/core'
import {
  Phone as Call,
  Cross,
  EyeOff,
  Record as Microphone,
  More as MoreIcon,
  Paperclip,
  SendMessage,
  Shop,
  Trash,
  Video,
} from '@blueprintjs/icons'
import { type KeyboardEvent, useRef, useState } from 'react'
import type { Inbound } from '#domain/sandbox/contract.ts'
import { useWords } from '#web/i18n.ts'
import { Popover } from '#web/ui/Popover.tsx'
import { toast } from '#web/ui/toaster.ts'
import type { Doing, Tell } from './atoms.ts'
import css from './Pad.module.css'
import { useVoice } from './voice.ts'
import { sandboxWords } from './words.ts'

/** The time after which a phone resends its message. */
const resentMs = 4000
/** The field where the customer writes, answers, edits, sends a file or records. */
export function Pad({ doing, tell, busy, onStop }: { doing: Doing; tell: Tell; busy: boolean; onStop: () => void }) {
  const t = useWords(sandboxWords)
  const [text, setText] = useState(doing?.what === 'edit' ? doing.line.body : '')
  const file = useRef<HTMLInputElement>(null)
  const answering: Partial<Inbound> = doing?.what === 'reply' ? { quotedId: doing.line.id } : {}
  const sendFile = (blob: Blob, name?: string) => void tell({ mediaType: kindOf(blob.type), ...answering }, blob, name)
  const voice = useVoice({
    done: (note) => sendFile(note, note.name),
    short: () => toast(t('tooShort'), 'warning'),
    refused: () => toast(t('noMicrophone'), 'danger'),
  })
  const sent = (now: string) => (now === text ? '' : now) // text typed during the request stays
  const send = async () => {
    const body = text.trim()
    if (body === '' || busy) return
    if (await tell(doing?.what === 'edit' ? { edits: doing.line.id, body } : { body, ...answering })) setText(sent)
  }
  const handleKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && doing) onStop()
    if (event.key !== 'Enter' || event.shiftKey) return
    event.preventDefault()
    void send()
  }
  if (voice.seconds !== null) return <Recording seconds={voice.seconds} onDrop={voice.drop} onSend={voice.send} />
  return (
    <div className={css.pad}>
      {doing && <DoingBar doing={doing} onStop={onStop} />}
      <Button variant="minimal" icon={<Paperclip />} aria-label={t('attach')} onClick={() => file.current?.click()} />
      <input
        ref={file}
        type="file"
        hidden
        onChange={({ target }) => {
          const chosen = target.files?.[0]
          if (chosen) sendFile(chosen, chosen.name)
          target.value = ''
        }}
      />
      <textarea
        rows={1}
        value={text}
        placeholder={t('write')}
        aria-label={t('write')}
        onChange={({ target }) => setText(target.value)}
        onKeyDown={handleKeyDown}
      />
      <More text={text.trim()} tell={tell} onSent={() => setText(sent)} />
      {text.trim() === '' ? (
        <Button variant="minimal" icon={<Microphone />} aria-label={t('record')} onClick={() => void voice.start()} />
      ) : (
        <Button intent="primary" icon={<SendMessage />} aria-label={t('send')} loading={busy} onClick={() => void send()} />
      )}
    </div>
  )
}

function Recording({ seconds, onDrop, onSend }: { seconds: number; onDrop: () => void; onSend: () => void }) {
  const t = useWords(sandboxWords)
  return (
    <div className={`${css.pad} ${css.voice}`}>
      <Button variant="minimal" icon={<Trash />} aria-label={t('drop')} onClick={onDrop} />
      <p className="nums">{t('recording', { seconds })}</p>
      <Button intent="primary" icon={<SendMessage />} aria-label={t('send')} onClick={onSend} />
    </div>
  )
}

/** The message that is answered or edited. */
function DoingBar({ doing, onStop }: { doing: NonNullable<Doing>; onStop: () => void }) {
  const t = useWords(sandboxWords)
  return (
    <p className={css.doing}>
      <span>
        <strong>{t(doing.what === 'edit' ? 'editing' : 'replying')}</strong> {doing.line.body || t('file')}
      </span>
      <Button variant="minimal" size="small" icon={<Cross />} aria-label={t('drop')} onClick={onStop} />
    </p>
  )
}

/** Calls, and the text sent in unusual ways: by the company's own phone, or unreadable at first. */
function More({ text, tell, onSent }: { text: string; tell: Tell; onSent: () => void }) {
  const t = useWords(sandboxWords)
  const [open, setOpen] = useState(false)
  const call = (how: 'voice' | 'video') => void tell({ call: how })
  const asCompany = async () => {
    if (await tell({ body: text, fromMe: true })) onSent()
  }
  const unreadable = async () => {
    const what = { id: crypto.randomUUID(), body: text }
    if (!(await tell({ ...what, undecryptable: true }))) return
    onSent()
    setTimeout(() => void tell(what), resentMs)
  }
  return (
    <Popover
      open={open}
      onOpenChange={setOpen}
      placement="top-end"
      content={
        <Menu>
          <MenuItem icon={<Call />} text={t('callVoice')} onClick={() => call('voice')} />
          <MenuItem icon={<Video />} text={t('callVideo')} onClick={() => call('video')} />
          <MenuItem icon={<Shop />} text={t('asCompany')} disabled={text === ''} onClick={() => void asCompany()} />
          <MenuItem icon={<EyeOff />} text={t('unreadable')} disabled={text === ''} onClick={() => void unreadable()} />
        </Menu>
      }
    >
      <Button variant="minimal" icon={<MoreIcon />} aria-label={t('more')} title={t('more')} />
    </Popover>
  )
}

const kindOf = (mime: string): NonNullable<Inbound['mediaType']> =>
  mime.startsWith('image/') ? 'image' : mime.startsWith('audio/') ? 'audio' : mime.startsWith('video/') ? 'video' : 'application'
