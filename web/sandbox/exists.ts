import { atom } from 'jotai'
import { providerOf } from '#domain/channel/channels.ts'
import { connectionTopic } from '#domain/connection/topic.ts'
import { api } from '#web/api.ts'
import { groups } from '#web/calls.ts'
import { viewerAtom } from '#web/session.ts'
import { live } from '#web/socket.ts'

/** The sandbox connection; null if this server has none. */
export async function sandboxConnection(): Promise<number | null> {
  const id = (await api.connections.list({ query: {} })).find(({ provider }) => providerOf(provider)?.simulated)?.id
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
  let there = false
  const look = async () => {
    if (there) return
    there = (await sandboxConnection().catch(() => null)) !== null
    answer(there)
  }
  void look()
  return live.subscribe(connectionTopic.name, () => void look()) // the company’s first connection may be created at any time
}
/** Only users who may use the sandbox ask for it. */
export const sandboxExistsAtom = atom((get) => groups.sandbox.customers.may(get(viewerAtom)) === null && get(asked))
