import { Callout } from '@blueprintjs/core'
import { Link } from 'wouter'
import { on } from '#domain/setting/contract.ts'
import { useWords } from '#web/i18n.ts'
import { useSettings, useViewer } from '#web/session.ts'
import { lookFor } from './look.ts'
import { optionWords, settingWords } from './words.ts'

/** Said to an admin beside an only queue: it is not greeted for unless that is set (sendGreetingMessageOneQueues). */
export function MuteForOne() {
  const say = useWords(settingWords)
  const option = useWords(optionWords)
  const greets = on(useSettings(), 'sendGreetingMessageOneQueues')
  const { profile } = useViewer()
  if (greets || profile !== 'admin') return null
  return (
    <Callout compact intent="warning">
      {say('muteForOne', { setting: option('sendGreetingMessageOneQueues') })}{' '}
      <Link href="/settings" onClick={() => lookFor('sendGreetingMessageOneQueues')}>
        {say('title')}
      </Link>
    </Callout>
  )
}
