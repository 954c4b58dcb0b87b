import { atom } from 'jotai'
import { providerOf } from '#domain/channel/channels.ts'
import { connectionTopic } from '#domain/connection/topic.ts'
import { api } from '#web/api.ts'
import { groups } from '#web/calls.ts'
import { viewerAtom } from '#web/session.ts'
import { live } from '#web/socket.ts'

/** The connections that the sandbox simulates; none if this server has no sandbox. */
export async function sandboxConnections(): Promise<{ id: number; name: string }[]> {
  const all = (await api.connections.list({ query: {} })).filter(({ provider }) => providerOf(provider)?.simulated)
  const [first] = all
  if (!first) return []
  return api.sandbox.customers({ params: { connectionId: first.id } }).then(
    () => all.map(({ id, name }) => ({ id, name })),
    () => [],
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
    there = (await sandboxConnections().catch(() => [])).length > 0
    answer(there)
  }
  void look()
  return live.subscribe(connectionTopic.name, () => void look()) // the company’s first connection may be created at any time
}
/** Only users who may use the sandbox ask for it. */
export const sandboxExistsAtom = atom((get) => groups.sandbox.customers.may(get(viewerAtom)) === null && get(asked))
