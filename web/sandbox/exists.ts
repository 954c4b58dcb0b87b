import { atom } from 'jotai'
import { sandbox } from '#domain/sandbox/contract.ts'
import { api } from '#web/api.ts'
import { viewerAtom } from '#web/session.ts'

/** The connection whose phones the sandbox plays; null where this server has none. */
export async function sandboxConnection(): Promise<number | null> {
  const id = (await api.connections.list({ query: {} })).find(({ provider }) => provider === 'sandbox')?.id
  if (id === undefined) return null
  return api.sandbox.customers({ params: { connectionId: id } }).then(
    () => id,
    () => null,
  )
}

const found = atom(false)
const asked = atom(
  (get) => get(found),
  (_, set, answer: boolean) => set(found, answer),
)
asked.onMount = (answer) => {
  void sandboxConnection().then(
    (id) => answer(id !== null),
    () => answer(false),
  )
}
/** Only who may use it asks for it. */
export const sandboxExistsAtom = atom((get) => sandbox.customers.may(get(viewerAtom)) === null && get(asked))
