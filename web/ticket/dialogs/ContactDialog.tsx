import { useAtomValue, useSetAtom } from 'jotai'
import * as Type from 'typebox'
import { ContactEdit } from '#domain/contact/contract.ts'
import { Name } from '#domain/contract.ts'
import { ContactDialog as Contact } from '#web/contact/ContactDialog.tsx'
import { contactOf } from '#web/ticket/drawer/contacts.ts'
import type { DialogProps } from './dialog.ts'

/** The drawer's form accepts shorter names than the call (A-VALID-01). */
const InDrawer = Type.Object({ ...ContactEdit.properties, name: Type.Optional(Name(50, 2)) }, { additionalProperties: false })

export function ContactDialog({ of: { contactId }, onClose }: DialogProps<'contact'>) {
  const contactAtom = contactOf(contactId)
  const { row } = useAtomValue(contactAtom)
  const apply = useSetAtom(contactAtom.apply)
  return row && <Contact contact={row} body={InDrawer} onSaved={(now) => apply([{ op: 'put', row: now }])} onClose={onClose} />
}
