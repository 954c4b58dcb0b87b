import { Button } from '@blueprintjs/core'
import { Envelope } from '@blueprintjs/icons'
import { api } from '#web/api.ts'
import { useWords } from '#web/i18n.ts'
import { useAsyncAction } from '#web/ui/async-action.ts'
import { toast } from '#web/ui/toaster.ts'
import { mailWords } from './words.ts'

/** Sends a test mail to the user with the saved settings. */
export function TestMail() {
  const t = useWords(mailWords)
  const act = useAsyncAction()
  const send = act(async () => {
    const { to } = await api.mail.test({})
    toast(t('tested', { to }))
  })
  return <Button icon={<Envelope />} text={t('test')} loading={act.pending} onClick={() => void send()} />
}
