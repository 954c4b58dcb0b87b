import { Button } from '@blueprintjs/core'
import { CellTower, Plus } from '@blueprintjs/icons'
import { useAtom, useAtomValue, useSetAtom } from 'jotai'
import { useState } from 'react'
import { type Provider, setupOf } from '#domain/channel/channels.ts'
import type { Connection, ConnectionRow } from '#domain/connection/contract.ts'
import { connections } from '#domain/connection/contract.ts'
import { useWords } from '#web/i18n.ts'
import { useMay } from '#web/session.ts'
import { CallSupport } from '#web/shell/CallSupport.tsx'
import { HealthLink } from '#web/traffic/HealthLink.tsx'
import { Head } from '#web/ui/Head.tsx'
import { useKeys } from '#web/ui/keys.ts'
import { MenuButton } from '#web/ui/MenuButton.tsx'
import { RowButtons } from '#web/ui/RowButtons.tsx'
import { Empty, ErrorView, Skeleton } from '#web/ui/states.tsx'
import { Table } from '#web/ui/Table.tsx'
import { uiWords } from '#web/ui/words.ts'
import { CodeDialog } from './CodeDialog.tsx'
import { ConnectionForm } from './ConnectionForm.tsx'
import { useConnectionColumns } from './connection-columns.tsx'
import { HookDialog } from './HookDialog.tsx'
import { connectionList, providersHere } from './list.ts'
import { MetaReturn } from './MetaReturn.tsx'
import { NoMail } from './NoMail.tsx'
import { RemoveConnection } from './RemoveConnection.tsx'
import { Restart } from './Restart.tsx'
import { useConnectionForm } from './useConnectionForm.ts'
import { connectionWords } from './words.ts'

type Asked = { what: 'remove' | 'code'; row: Pick<ConnectionRow, 'id' | 'name'> } | { what: 'hook'; row: Connection }

/** The company’s connections with their state and settings. */
export function Connections() {
  const t = useWords(connectionWords)
  const may = useMay(connections.create)
  const [text, setText] = useAtom(connectionList.search.text)
  const wanted = useAtomValue(connectionList.search.settled)
  const list = connectionList.lists(wanted)
  const ids = useAtomValue(list.ids)
  const state = useAtomValue(list.state)
  const error = useAtomValue(list.error)
  const reload = useSetAtom(list.reload)
  const [asked, setAsked] = useState<Asked | null>(null)
  const { isOpen, row, gone, provider, begin, beginFirst, edit, close } = useConnectionForm(may, ids)
  const remove = (row: ConnectionRow) => setAsked({ what: 'remove', row })
  const showCode = (row: ConnectionRow | Connection) => setAsked({ what: 'code', row })
  const columns = useConnectionColumns({ may, onCode: showCode, onToken: (row) => edit(row, 'meta') })
  useKeys(t('title'), may ? [{ keys: 'n', label: t('add'), run: () => void beginFirst() }] : [])
  const handleMade = (row: Connection) => {
    if (row.status === 'qrcode') showCode(row)
    else if (setupOf(row.channel) === 'credentials') setAsked({ what: 'hook', row })
  }
  const addButton = may && <AddButton onBegin={begin} />
  return (
    <>
      <Head
        title={t('title')}
        lead={state === 'ready' && ids.length > 0 ? `${t('lead')} (${ids.length})` : t('lead')}
        search={text}
        onSearch={setText}
      >
        <CallSupport />
        {may && <Restart />}
        {addButton}
      </Head>
      {may && ids.length > 0 && <NoMail />}
      {state === 'failed' && <ErrorView error={error} onRetry={reload} />}
      {state === 'loading' && <Skeleton rows={4} height={40} />}
      {state === 'ready' && ids.length === 0 && <NoConnections wanted={wanted} addButton={addButton} />}
      {ids.length > 0 && (
        <Table
          list={list}
          label={t('title')}
          onOpen={(row) => may && edit(row)}
          onRemove={(row) => may && remove(row)}
          columns={columns}
          actions={(row) =>
            may && (
              <>
                <HealthLink of={row} />
                <RowButtons name={row.name} onEdit={() => edit(row)} onRemove={() => remove(row)} />
              </>
            )
          }
        />
      )}
      {isOpen && <ConnectionForm row={row} gone={gone} provider={provider} onClose={close} onMade={handleMade} />}
      <ConnectionDialog asked={asked} onClose={() => setAsked(null)} />
      <MetaReturn may={may} />
    </>
  )
}

/** The dialog that opens over the list: a deletion, the code of a phone, or the address for a provider's events. */
function ConnectionDialog({ asked, onClose }: { asked: Asked | null; onClose: () => void }) {
  if (asked === null) return null
  if (asked.what === 'hook') return <HookDialog row={asked.row} onClose={onClose} />
  if (asked.what === 'code') return <CodeDialog id={asked.row.id} onClose={onClose} />
  return <RemoveConnection row={asked.row} onClose={onClose} />
}

function AddButton({ onBegin }: { onBegin: (by: Provider) => void }) {
  const t = useWords(connectionWords)
  return (
    <MenuButton
      button={<Button intent="primary" icon={<Plus />} text={t('add')} />}
      menu={async () => {
        const [{ NewConnection }, there] = await Promise.all([import('./NewConnection.tsx'), providersHere()])
        return () => <NewConnection there={there} onBegin={onBegin} />
      }}
    />
  )
}

/** The empty list, of the company or of a search. */
function NoConnections({ wanted, addButton }: { wanted: string; addButton: React.ReactNode }) {
  const t = useWords(connectionWords)
  const tUi = useWords(uiWords)
  return (
    <Empty icon={<CellTower size={20} />} title={wanted ? tUi('noneFound', { search: wanted }) : t('empty')} action={!wanted && addButton}>
      {!wanted && t('lead')}
    </Empty>
  )
}
