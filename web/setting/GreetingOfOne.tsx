import { Callout } from '@blueprintjs/core'
import { useWatch } from 'react-hook-form'
import { Link } from 'wouter'
import { greetingOfOne } from '#domain/flow/menus.ts'
import type { QueueRow } from '#domain/queue/contract.ts'
import { on } from '#domain/setting/contract.ts'
import { useWords } from '#web/i18n.ts'
import { useSettings, useViewer } from '#web/session.ts'
import { greetingNote } from './greeting-note.ts'
import { lookFor } from './look.ts'
import { optionWords, settingWords } from './words.ts'

/** Shows an admin which greeting a new contact reads if a connection has only one queue (A-BOT-02). */
export function GreetingOfOne({ queue }: { queue: QueueRow | undefined }) {
  const t = useWords(settingWords)
  const tOption = useWords(optionWords)
  const greetsForOne = on(useSettings(), 'sendGreetingMessageOneQueues')
  const greetingMessage = useWatch<{ greetingMessage: string | null }, 'greetingMessage'>({ name: 'greetingMessage' })
  const { profile } = useViewer()
  if (profile !== 'admin' || !queue) return null
  const byQueue = greetingOfOne({ greetingMessage: null, greetsForOne, queue }) !== ''
  if (greetingOfOne({ greetingMessage, greetsForOne, queue }) === '')
    return (
      <Callout compact intent="warning">
        {t('greetsByNobody')}
      </Callout>
    )
  return (
    <Callout compact>
      {byQueue ? (
        <>
          {t('greetsByQueue', { setting: tOption('sendGreetingMessageOneQueues') })}{' '}
          <Link href="/settings" onClick={() => lookFor('sendGreetingMessageOneQueues')}>
            {t('title')}
          </Link>
        </>
      ) : (
        t('greetsByConnection')
      )}
    </Callout>
  )
}

/** Says in the form of a queue which greeting a customer reads where it is the only queue (A-BOT-02). */
export function GreetingOfQueue() {
  const t = useWords(settingWords)
  const tOption = useWords(optionWords)
  const greetsForOne = on(useSettings(), 'sendGreetingMessageOneQueues')
  const [greetingMessage, closeTicket] = useWatch<Pick<QueueRow, 'greetingMessage' | 'closeTicket'>, ['greetingMessage', 'closeTicket']>({
    name: ['greetingMessage', 'closeTicket'],
  })
  const note = greetingNote({ greetingMessage, closeTicket }, greetsForOne)
  return (
    <Callout compact data-part="greeting-note">
      {t(note, { setting: tOption('sendGreetingMessageOneQueues') })}
    </Callout>
  )
}
