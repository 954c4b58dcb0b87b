import { Button, Menu, MenuItem, Popover } from '@blueprintjs/core'
import { Phone as Call, Cross, EyeOff, Record as Microphone, More, Paperclip, SendMessage, Shop, Trash, Video } from '@blueprintjs/icons'
import { type KeyboardEvent, useRef, useState } from 'react'
import type { Inbound } from '#domain/sandbox/contract.ts'
import { useWords } from '#web/i18n.ts'
import { toast } from '#web/ui/toaster.ts'
import type { Doing, Tell } from './atoms.ts'
import css from './Pad.module.css'
import { useVoice } from './voice.ts'
import { sandboxWords } from './words.ts'

/** As long as another phone takes to send its message once more. */
const resentMs = 4000
/** Where the customer writes, answers, edits, sends a file or speaks. */
export function Pad({ doing, tell, busy, onStop }: { doing: Doing; tell: Tell; busy: boolean; onStop: () => void }) {
  const say = useWords(sandboxWords)
  const [text, write] = useState(doing?.what === 'edit' ? doing.line.body : '')
  const file = useRef<HTMLInputElement>(null)
  const answering: Partial<Inbound> = doing?.what === 'reply' ? { quotedId: doing.line.id } : {}
  const sendFile = (blob: Blob, name?: string) => void tell({ mediaType: kindOf(blob.type), ...answering }, blob, name)
  const voice = useVoice({
    done: (note) => sendFile(note, note.name),
    short: () => toast(say('tooShort'), 'warning'),
    refused: () => toast(say('noMicrophone'), 'danger'),
  })
  const sent = (now: string) => (now === text ? '' : now) // what is typed while it leaves stays
  const send = async () => {
    const body = text.trim()
    if (body === '' || busy) return
    if (await tell(doing?.what === 'edit' ? { edits: doing.line.id, body } : { body, ...answering })) write(sent)
  }
  const call = (how: 'voice' | 'video') => void tell({ call: how })
  const asCompany = async () => {
    if (await tell({ body: text.trim(), fromMe: true })) write(sent)
  }
  const unreadable = async () => {
    const what = { id: crypto.randomUUID(), body: text.trim() }
    if (!(await tell({ ...what, undecryptable: true }))) return
    write(sent)
    setTimeout(() => void tell(what), resentMs)
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
      <Popover
        placement="top-end"
        content={
          <Menu>
            <MenuItem icon={<Call />} text={say('callVoice')} onClick={() => call('voice')} />
            <MenuItem icon={<Video />} text={say('callVideo')} onClick={() => call('video')} />
            <MenuItem icon={<Shop />} text={say('asCompany')} disabled={text.trim() === ''} onClick={() => void asCompany()} />
            <MenuItem icon={<EyeOff />} text={say('unreadable')} disabled={text.trim() === ''} onClick={() => void unreadable()} />
          </Menu>
        }
      >
        <Button variant="minimal" icon={<More />} aria-label={say('more')} title={say('more')} />
      </Popover>
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
