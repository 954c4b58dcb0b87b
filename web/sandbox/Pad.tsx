import { Button } from '@blueprintjs/core'
import { Cross, Record as Microphone, Paperclip, SendMessage, Trash } from '@blueprintjs/icons'
import { type KeyboardEvent, useRef, useState } from 'react'
import type { Inbound } from '#domain/sandbox/contract.ts'
import { useWords } from '#web/i18n.ts'
import { toast } from '#web/ui/toaster.ts'
import type { Doing, Tell } from './atoms.ts'
import css from './Pad.module.css'
import { useVoice } from './voice.ts'
import { sandboxWords } from './words.ts'

/** Where the customer writes, answers, edits, sends a file or speaks. */
export function Pad({ doing, tell, busy, onStop }: { doing: Doing; tell: Tell; busy: boolean; onStop: () => void }) {
  const say = useWords(sandboxWords)
  const [text, write] = useState(doing?.what === 'edit' ? doing.line.body : '')
  const file = useRef<HTMLInputElement>(null)
  const answering: Partial<Inbound> = doing?.what === 'reply' ? { quotedId: doing.line.id } : {}
  const sendFile = (blob: Blob, name?: string) => void tell({ mediaType: kindOf(blob.type), ...answering }, blob, name)
  const voice = useVoice({
    done: (note) => sendFile(note, 'audio.webm'),
    short: () => toast(say('tooShort'), 'warning'),
    refused: () => toast(say('noMicrophone'), 'danger'),
  })
  const send = async () => {
    const body = text.trim()
    if (body === '' || busy) return
    if (await tell(doing?.what === 'edit' ? { edits: doing.line.id, body } : { body, ...answering })) write('')
  }
  const press = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && doing) onStop()
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
    event.preventDefault()
    void send()
  }
  if (voice.seconds !== null)
    return (
      <div className={`${css.pad} ${css.voice}`}>
        <Button variant="minimal" icon={<Trash />} aria-label={say('drop')} onClick={voice.drop} />
        <p className="nums">{say('recording', { seconds: voice.seconds })}</p>
        <Button intent="primary" icon={<SendMessage />} aria-label={say('send')} onClick={voice.send} />
      </div>
    )
  return (
    <div className={css.pad}>
      {doing && (
        <p className={css.doing}>
          <span>
            <strong>{say(doing.what === 'edit' ? 'editing' : 'replying')}</strong> {doing.line.body || say('file')}
          </span>
          <Button variant="minimal" size="small" icon={<Cross />} aria-label={say('drop')} onClick={onStop} />
        </p>
      )}
      <Button variant="minimal" icon={<Paperclip />} aria-label={say('attach')} onClick={() => file.current?.click()} />
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
        placeholder={say('write')}
        aria-label={say('write')}
        onChange={({ target }) => write(target.value)}
        onKeyDown={press}
      />
      {text.trim() === '' ? (
        <Button variant="minimal" icon={<Microphone />} aria-label={say('record')} onClick={() => void voice.start()} />
      ) : (
        <Button intent="primary" icon={<SendMessage />} aria-label={say('send')} loading={busy} onClick={() => void send()} />
      )}
    </div>
  )
}

const kindOf = (mime: string): NonNullable<Inbound['mediaType']> =>
  mime.startsWith('image/') ? 'image' : mime.startsWith('audio/') ? 'audio' : mime.startsWith('video/') ? 'video' : 'application'
