import { Button, DialogBody, DialogFooter } from '@blueprintjs/core'
import { useAtomValue, useSetAtom } from 'jotai'
import { useEffect, useEffectEvent, useState } from 'react'
import { useWords } from '#web/i18n.ts'
import { out } from '#web/message/sending.ts'
import type { Sending } from '#web/message/unsent.ts'
import { messageWords } from '#web/message/words.ts'
import { expiredAtom, signOut } from '#web/session.ts'
import { Dialog } from '#web/ui/Dialog.tsx'
import { useReturnFocus } from '#web/ui/returnFocus.ts'
import { failure } from '#web/ui/toaster.ts'
import { uiWords } from '#web/ui/words.ts'
import css from './Leaving.module.css'
import { type Begun, begun, leavingAtom } from './leaving.ts'
import { leavingWords } from './leaving-words.ts'

/** What would be lost by signing out, to whom it was to go, and what may be done about it. */
export function Leaving() {
  const say = useWords(leavingWords)
  const ui = useWords(uiWords)
  useReturnFocus()
  const ask = useSetAtom(leavingAtom)
  const expired = useAtomValue(expiredAtom)
  const messages = useAtomValue(out.unsent)
  const [drafts, know] = useState<Begun[] | null>(null)
  const [sends, send] = useState(false)
  const stay = () => ask(false)
  const looked = useEffectEvent((now: Begun[]) => {
    know(now)
    if (!sends || messages.some(({ state }) => state !== 'failed')) return
    send(false)
    if (messages.length === 0 && now.length === 0) void signOut()
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: what comes back unsent becomes a draft
  useEffect(() => {
    void begun().then(looked)
  }, [messages])
  const sendFirst = () => {
    send(true)
    for (const { key, state } of messages) if (state === 'failed') out.again(key)
    out.wake()
  }
  const drop = () => {
    for (const { key } of messages) out.discard(key)
    void signOut()
  }
  const nothing = messages.length === 0 && drafts?.length === 0
  return (
    <Dialog isOpen title={say('leaving')} onClose={stay} size="small" role="alertdialog">
      <DialogBody>
        <div role="status" className={css.leaving}>
          {messages.length > 0 && (
            <>
              <p>{say(messages.length === 1 ? 'leftOne' : 'left', { n: messages.length })}</p>
              <ul>
                {messages.map((item) => (
                  <Message key={item.key} item={item} />
                ))}
              </ul>
            </>
          )}
          {drafts !== null && drafts.length > 0 && (
            <>
              <p>{say(drafts.length === 1 ? 'begunOne' : 'begun', { n: drafts.length })}</p>
              <ul>
                {drafts.map(({ ticketId, to, as, body }) => (
                  <li key={`${as} ${ticketId}`}>
                    <b dir="auto">{to || `#${ticketId}`}</b> <span dir="auto">{body || say('begunFiles')}</span>
                    {as !== 'message' && <small>{say(as)}</small>}
                  </li>
                ))}
              </ul>
            </>
          )}
          <p className={css.why}>{say(nothing ? 'leftNothing' : 'leavingWhy')}</p>
        </div>
      </DialogBody>
      <DialogFooter
        actions={
          <>
            <Button
              autoFocus
              {...(!nothing && messages.length === 0 && { intent: 'primary' as const })}
              text={nothing ? ui('cancel') : say('stay')}
              onClick={stay}
            />
            <Button
              intent={nothing ? 'primary' : 'danger'}
              {...(!nothing && { variant: 'outlined' as const })}
              text={say(nothing ? 'signOut' : 'dropAndLeave')}
              onClick={drop}
            />
            {messages.length > 0 && !expired && <Button intent="primary" text={say('sendFirst')} loading={sends} onClick={sendFirst} />}
          </>
        }
      />
    </Dialog>
  )
}

function Message({ item: { to, ticketId, body, files, state, error } }: { item: Sending }) {
  const say = useWords(messageWords)
  return (
    <li>
      <b dir="auto">{to || `#${ticketId}`}</b>{' '}
      <span dir="auto">{[body, ...files.map(({ name }) => name)].filter(Boolean).join(' · ')}</span>
      <small>{state === 'failed' ? failure(error) : state === 'waiting' || state === 'queued' ? say('waitsForLine') : ''}</small>
    </li>
  )
}
