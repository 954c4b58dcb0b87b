import { Dialog, DialogBody } from '@blueprintjs/core'
import type { ContactRow } from '#domain/contact/contract.ts'
import { api } from '#web/api.ts'
import { useWords } from '#web/i18n.ts'
import { brief } from '#web/message/bubble/Bubble.tsx'
import { messageWords } from '#web/message/words.ts'
import { useAct } from '#web/ui/act.ts'
import { toast } from '#web/ui/toaster.ts'
import { ContactPicker } from './ContactPicker.tsx'
import type { Shown } from './dialog.ts'

const between = 900
/** R-MSG-07, R-MSG-08: one call a message, a moment between them. */
export function ForwardDialog({ of: { messages }, close }: Shown<'forward'>) {
  const say = useWords(messageWords)
  const act = useAct()
  const send = async (contact: ContactRow) => {
    if (messages.length === 0) return toast(say('forwardNone'), 'warning')
    const done = await act(async () => {
      for (const [at, { id }] of messages.entries()) {
        if (at > 0) await new Promise((next) => setTimeout(next, between))
        await api.messages.forward({ body: { messageId: id, contactId: contact.id } })
      }
    })()
    if (!done) return
    toast(say('forwardDone'))
    close()
  }
  const [only] = messages
  return (
    <Dialog isOpen title={say('forwardTitle')} onClose={close}>
      <DialogBody>
        <blockquote className="forwarding">
          {messages.length === 1 && only ? brief(only.mediaType, only.body) : say('forwardMany', { n: messages.length })}
        </blockquote>
        <ContactPicker onChoose={(contact) => void send(contact)} />
      </DialogBody>
    </Dialog>
  )
}
