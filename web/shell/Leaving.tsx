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

/** What signing out would lose, its recipients, and what can be done about it. */
export function Leaving() {
  const t = useWords(leavingWords)
  const tUi = useWords(uiWords)
  useReturnFocus()
  const setLeaving = useSetAtom(leavingAtom)
  const expired = useAtomValue(expiredAtom)
  const messages = useAtomValue(out.unsent)
  const [drafts, setDrafts] = useState<Begun[] | null>(null)
  const [sends, setSends] = useState(false)
  const handleStay = () => setLeaving(false)
  const looked = useEffectEvent((now: Begun[]) => {
    setDrafts(now)
    if (!sends || messages.some(({ state }) => state !== 'failed')) return
    setSends(false)
    if (messages.length === 0 && now.length === 0) void signOut()
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: a message that returns unsent becomes a draft
  useEffect(() => {
    void begun().then(looked)
  }, [messages])
  const handleSendFirst = () => {
    setSends(true)
    for (const { key, state } of messages) if (state === 'failed') out.again(key)
    out.wake()
  }
  const handleDrop = () => {
    for (const { key } of messages) out.discard(key)
    void signOut()
  }
  const nothing = messages.length === 0 && drafts?.length === 0
  return (
    <Dialog isOpen title={t('leaving')} onClose={handleStay} size="small" role="alertdialog">
      <DialogBody>
        <div role="status" className={css.leaving}>
          {messages.length > 0 && <Messages list={messages} />}
          {drafts !== null && drafts.length > 0 && <Drafts list={drafts} />}
          <p className={css.why}>{t(nothing ? 'leftNothing' : 'leavingWhy')}</p>
        </div>
      </DialogBody>
      <DialogFooter
        actions={
          <>
            <Button
              autoFocus
              {...(!nothing && messages.length === 0 && { intent: 'primary' as const })}
              text={nothing ? tUi('cancel') : t('stay')}
              onClick={handleStay}
            />
            <Button
              intent={nothing ? 'primary' : 'danger'}
              {...(!nothing && { variant: 'outlined' as const })}
              text={t(nothing ? 'signOut' : 'dropAndLeave')}
              onClick={handleDrop}
            />
            {messages.length > 0 && !expired && <Button intent="primary" text={t('sendFirst')} loading={sends} onClick={handleSendFirst} />}
          </>
        }
      />
    </Dialog>
  )
}

function Messages({ list }: { list: readonly Sending[] }) {
  const t = useWords(leavingWords)
  return (
    <>
      <p>{t(list.length === 1 ? 'leftOne' : 'left', { n: list.length })}</p>
      <ul>
        {list.map((item) => (
          <Message key={item.key} item={item} />
        ))}
      </ul>
    </>
  )
}

function Drafts({ list }: { list: readonly Begun[] }) {
  const t = useWords(leavingWords)
  return (
    <>
      <p>{t(list.length === 1 ? 'begunOne' : 'begun', { n: list.length })}</p>
      <ul>
        {list.map(({ ticketId, to, as, body }) => (
          <li key={`${as} ${ticketId}`}>
            <b dir="auto">{to || `#${ticketId}`}</b> <span dir="auto">{body || t('begunFiles')}</span>
            {as !== 'message' && <small>{t(as)}</small>}
          </li>
        ))}
      </ul>
    </>
  )
}

function Message({ item: { to, ticketId, body, files, state, error } }: { item: Sending }) {
  const t = useWords(messageWords)
  return (
    <li>
      <b dir="auto">{to || `#${ticketId}`}</b>{' '}
      <span dir="auto">{[body, ...files.map(({ name }) => name)].filter(Boolean).join(' · ')}</span>
      <small>{state === 'failed' ? failure(error) : state === 'waiting' || state === 'queued' ? t('waitsForLine') : ''}</small>
    </li>
  )
}
