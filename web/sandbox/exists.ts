import { atom } from 'jotai'
import { sandbox } from '#domain/sandbox/contract.ts'
import { api } from '#web/api.ts'
import { viewerAtom } from '#web/session.ts'

/** The connection that the sandbox answers for; null where this server has none. */
export async function sandboxConnection(): Promise<number | null> {
  for (const { id } of (await api.connections.list({ query: {} })).slice(0, 5))
    if (await api.sandbox.customers({ params: { connectionId: id } }).then(Boolean, () => false)) return id
  return null
}

const found = atom<boolean | null>(null)
const asked = atom(
  (get) => get(found) ?? false,
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
