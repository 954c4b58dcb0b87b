import { Button, DialogBody, DialogFooter } from '@blueprintjs/core'
import { useAtomValue } from 'jotai'
import { useState } from 'react'
import * as Type from 'typebox'
import { useLocation } from 'wouter'
import type { ContactRow } from '#domain/contact/contract.ts'
import { Id, Nullable } from '#domain/contract.ts'
import { api, Refused } from '#web/api.ts'
import { useWords } from '#web/i18n.ts'
import { useViewer } from '#web/session.ts'
import { Dialog } from '#web/ui/Dialog.tsx'
import { FormDialog } from '#web/ui/FormDialog.tsx'
import { ChoiceField } from '#web/ui/fields.tsx'
import { connectionChoices, queueChoices } from './atoms.ts'
import { contactWords } from './words.ts'

/** What the dialog asks: an agent's own ticket has a queue from the start. */
const Asked = Type.Object({ queueId: Id, whatsappId: Nullable(Id) })
type Busy = { user: string | null; queue: string | null }

/** Opens a ticket with the contact, or shows who has one already; one's own is simply opened. */
export function NewTicket({ contact, onClose }: { contact: Pick<ContactRow, 'id' | 'name' | 'whatsappId'>; onClose: () => void }) {
  const say = useWords(contactWords)
  const viewer = useViewer()
  const [, go] = useLocation()
  const all = useAtomValue(queueChoices.all)
  const connections = useAtomValue(connectionChoices.all)
  const [busy, tell] = useState<Busy | null>(null)
  const queues = viewer.profile === 'admin' ? all : all.filter(({ id }) => viewer.queueIds.includes(id))
  if (busy)
    return (
      <Dialog isOpen title={say('busy')} className="dialog-small" onClose={onClose}>
        <DialogBody>{say('busyWith', { user: busy.user ?? say('nobody'), queue: busy.queue ?? say('noQueue') })}</DialogBody>
        <DialogFooter actions={<Button autoFocus intent="primary" text={say('understood')} onClick={onClose} />} />
      </Dialog>
    )
  return (
    <FormDialog
      key={queues.length}
      title={say('chatWith', { name: contact.name })}
      className="dialog-small"
      body={Asked}
      start={{ queueId: (queues.length === 1 ? queues[0]!.id : null) as number, whatsappId: null }}
      verb={say('start')}
      onClose={onClose}
      onSubmit={async ({ queueId, whatsappId }) => {
        const body = { contactId: contact.id, queueId, whatsappId, userId: viewer.id, status: 'open' as const }
        try {
          go(`/tickets/${(await api.tickets.open({ body })).uuid}`)
        } catch (error) {
          const other = existing(error)
          if (!other) throw error
          if (other.userId !== viewer.id || !other.uuid) {
            tell(other)
            return false
          }
          go(`/tickets/${other.uuid}`)
        }
        return true
      }}
    >
      <ChoiceField name="queueId" label={say('queue')} choices={queues} />
      {connections.length > 1 && (
        <ChoiceField name="whatsappId" label={say('connection')} choices={connections} none={say('defaultConnection')} />
      )}
    </FormDialog>
  )
}

type Existing = { userId: number | null; user: { name: string } | null; queue: { name: string } | null; ticket: { uuid: string } | null }
function existing(error: unknown) {
  if (!(error instanceof Refused) || error.code !== 'ERR_OTHER_OPEN_TICKET') return null
  const { userId, user, queue, ticket } = error.detail as Partial<Existing>
  return { userId: userId ?? null, user: user?.name ?? null, queue: queue?.name ?? null, uuid: ticket?.uuid ?? null }
}
