import { atom } from 'jotai'
import { createContext } from 'react'
import type { ContactRow } from '#domain/contact/contract.ts'
import { textValues } from '#domain/contact/rules.ts'
import { api } from '#web/api.ts'
import { meAtom, store } from '#web/session.ts'
import { createRemoteAtom } from '#web/ui/remote-atom.ts'

const first = createRemoteAtom(async () => (await api.contacts.list({ query: {} })).contacts.find(({ isGroup }) => !isGroup) ?? null)
/** The contact that the user chose for previews. */
export const chosenAtom = atom<ContactRow | null>(null)
/** The example for previews if there is no contact yet. */
const anybody = { name: 'Maria', number: '5511987654321', email: 'maria@example.com' }

/** The contact of previews: the first of the list until another is chosen; null until it has loaded. */
export const readerAtom = atom((get) => {
  const now = get(first)
  if (now.state === 'loading') return get(chosenAtom)
  return get(chosenAtom) ?? (now.state === 'ready' ? now.value : null) ?? anybody
})

type Reader = { name: string; number: string; email: string }
/** The values of the variables for a contact in a queue. The name of the agent is that of the user. */
export const namesOf = ({ name, number, email }: Reader, queue: string) => ({
  ...textValues({ name, number }),
  ...{ email, fila: queue, atendente: store.get(meAtom)?.name ?? '' },
})

/** The queue whose texts are edited; elsewhere any queue serves as the example. */
export const QueueWritten = createContext<string | null>(null)
