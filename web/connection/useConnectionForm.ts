import { useState } from 'react'
import type { Provider } from '#domain/channel/channels.ts'
import type { Connection } from '#domain/connection/contract.ts'
import { api } from '#web/api.ts'
import { useAsyncAction } from '#web/ui/async-action.ts'
import { keepPlace, placeIn, useOpened } from '#web/ui/opened.ts'
import { useRecordDeleted } from '#web/ui/record-deleted.ts'
import { firstProviderOf, newProviderOf, providersHere } from './list.ts'

const find = (of: { params: { id: number } }) => api.connections.find({ ...of, query: {} })

/** The open form of a connection, or of a new one by its provider. `ids`: the listed connections. */
export function useConnectionForm(may: boolean, ids: readonly number[]) {
  const act = useAsyncAction()
  const [opened, open] = useOpened<Connection>(find, () => may)
  const row = opened === 'new' ? null : opened
  const gone = useRecordDeleted(row?.id ?? null, ids, find)
  const [provider, setProvider] = useState(() => newProviderOf(placeIn('kind')))
  const begin = (by: Provider) => {
    setProvider(by)
    open('new')
    keepPlace({ kind: by })
  }
  return {
    isOpen: opened !== null,
    row,
    gone,
    provider,
    begin,
    beginFirst: async () => begin(firstProviderOf(await providersHere())),
    edit: ({ id }: { id: number }, tab: string | null = null) =>
      void act(async () => {
        open(await find({ params: { id } }))
        if (tab) keepPlace({ tab })
      })(),
    close: () => open(null),
  }
}
