import { Button, Tag } from '@blueprintjs/core'
import { CellTower, Plus } from '@blueprintjs/icons'
import { useAtom, useAtomValue, useSetAtom } from 'jotai'
import { useEffect, useState } from 'react'
import { channels, type Provider, setupOf } from '#domain/channel/channels.ts'
import type { Connection, ConnectionRow } from '#domain/connection/contract.ts'
import { connections } from '#domain/connection/contract.ts'
import { api } from '#web/api.ts'
import { formattedNumber } from '#web/contact/phone.ts'
import { translate, useLanguage, useWords } from '#web/i18n.ts'
import { useMay } from '#web/session.ts'
import { CallSupport } from '#web/shell/CallSupport.tsx'
import { HealthLink } from '#web/traffic/HealthLink.tsx'
import { useAsyncAction } from '#web/ui/async-action.ts'
import { phoneAtom } from '#web/ui/breakpoints.ts'
import { Dot } from '#web/ui/Dot.tsx'
import { Head } from '#web/ui/Head.tsx'
import { useKeys } from '#web/ui/keys.ts'
import { MenuButton } from '#web/ui/MenuButton.tsx'
import { date, hour } from '#web/ui/moment.ts'
import { keepPlace, placeIn, useOpened } from '#web/ui/opened.ts'
import { RowButtons } from '#web/ui/RowButtons.tsx'
import { useRecordDeleted } from '#web/ui/record-deleted.ts'
import { Empty, ErrorView, Skeleton } from '#web/ui/states.tsx'
import table from '#web/ui/Table.module.css'
import { Table } from '#web/ui/Table.tsx'
import { toast } from '#web/ui/toaster.ts'
import { uiWords } from '#web/ui/words.ts'
import { CodeDialog } from './CodeDialog.tsx'
import { ConnectionForm } from './ConnectionForm.tsx'
import { cloudWords } from './cloud-words.ts'
import { HookDialog } from './HookDialog.tsx'
import { connectionList, firstProviderOf, newProviderOf, providersHere } from './list.ts'
import { backFromMeta, forgetBack } from './metaLogin.ts'
import { NoMail } from './NoMail.tsx'
import { NoQueues } from './NoQueues.tsx'
import { PagesDialog } from './PagesDialog.tsx'
import { RemoveConnection } from './RemoveConnection.tsx'
import { Restart } from './Restart.tsx'
import { SessionButtons } from './SessionButtons.tsx'
import { Status } from './Status.tsx'
import { connectionFieldWords, connectionWords } from './words.ts'

const find = (of: { params: { id: number } }) => api.connections.find({ ...of, query: {} })
type Asked = { what: 'remove' | 'code'; row: Pick<ConnectionRow, 'id' | 'name'> }

/** The company’s connections with their state and settings. */
export function Connections() {
  const t = useWords(connectionWords)
  const tConnectionField = useWords(connectionFieldWords)
  const tUi = useWords(uiWords)
  const language = useLanguage()
  const may = useMay(connections.create)
  const phone = useAtomValue(phoneAtom) // a phone has no room for the status beside the name
  const act = useAsyncAction()
  const [text, setText] = useAtom(connectionList.search.text)
  const wanted = useAtomValue(connectionList.search.settled)
  const list = connectionList.lists(wanted)
  const ids = useAtomValue(list.ids)
  const state = useAtomValue(list.state)
  const error = useAtomValue(list.error)
  const reload = useSetAtom(list.reload)
  const [asked, setAsked] = useState<Asked | null>(null)
  const [hooked, setHooked] = useState<Connection | null>(null)
  const [opened, open] = useOpened<Connection>(find, () => may)
  const row = opened === 'new' ? null : opened
  const gone = useRecordDeleted(row?.id ?? null, ids, find)
  const [back, setBack] = useState(() => (may ? backFromMeta() : null))
  useEffect(() => {
    forgetBack()
    if (back === 'refused') toast(translate(cloudWords, 'loginRefused'), 'warning')
  }, [back])
  const [provider, setProvider] = useState(() => newProviderOf(placeIn('kind')))
  const begin = (by: Provider) => {
    setProvider(by)
    open('new')
    keepPlace({ kind: by })
  }
  const beginFirst = async () => begin(firstProviderOf(await providersHere()))
  const edit = ({ id }: ConnectionRow, tab: string | null = null) =>
    void act(async () => {
      open(await find({ params: { id } }))
      if (tab) keepPlace({ tab })
    })()
  const session = (row: ConnectionRow) =>
    may && <SessionButtons row={row} onCode={() => setAsked({ what: 'code', row })} onToken={() => edit(row, 'meta')} />
  const stands = (row: ConnectionRow) => (
    <>
      <Status of={row} /> {may && <NoQueues of={row} />}
    </>
  )
  const handleClose = () => setAsked(null)
  useKeys(t('title'), may ? [{ keys: 'n', label: t('add'), run: () => void beginFirst() }] : [])
  const addButton = may && (
    <MenuButton
      button={<Button intent="primary" icon={<Plus />} text={t('add')} />}
      menu={async () => {
        const [{ NewConnection }, there] = await Promise.all([import('./NewConnection.tsx'), providersHere()])
        return () => <NewConnection there={there} onBegin={begin} />
      }}
    />
  )
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
      {state === 'ready' && ids.length === 0 && (
        <Empty
          icon={<CellTower size={20} />}
          title={wanted ? tUi('noneFound', { search: wanted }) : t('empty')}
          action={!wanted && addButton}
        >
          {!wanted && t('lead')}
        </Empty>
      )}
      {ids.length > 0 && (
        <Table
          list={list}
          label={t('title')}
          onOpen={(row) => may && edit(row)}
          onRemove={(row) => may && setAsked({ what: 'remove', row })}
          columns={[
            {
              title: tConnectionField('name'),
              cell: (row) => (
                <>
                  {row.color && <Dot color={row.color} />} <span dir="auto">{row.name}</span>{' '}
                  {row.isDefault && <Tag minimal>{t('default')}</Tag>}
                  <div className={`${table.muted} nums`}>
                    {[channels[row.channel].name, row.number && formattedNumber(row.number)].filter(Boolean).join(' · ')}
                  </div>
                  {phone && stands(row)}
                  {phone && (
                    // biome-ignore lint/a11y/useKeyWithClickEvents: only keeps a click on a button from opening the row
                    // biome-ignore lint/a11y/noStaticElementInteractions: only keeps a click on a button from opening the row
                    <div onClick={(event) => event.stopPropagation()}>{session(row)}</div>
                  )}
                </>
              ),
            },
            ...(phone
              ? []
              : [
                  { title: tConnectionField('status'), cell: stands, whole: true as const },
                  { title: t('session'), cell: session, acts: true as const },
                ]),
            { title: t('updated'), cell: ({ updatedAt }) => `${date(updatedAt, language)} ${hour(updatedAt, language)}`, roomy: true },
          ]}
          actions={(row) =>
            may && (
              <>
                <HealthLink of={row} />
                <RowButtons name={row.name} onEdit={() => edit(row)} onRemove={() => setAsked({ what: 'remove', row })} />
              </>
            )
          }
        />
      )}
      {opened && (
        <ConnectionForm
          row={row}
          gone={gone}
          provider={provider}
          onClose={() => open(null)}
          onMade={(row) =>
            row.status === 'qrcode' ? setAsked({ what: 'code', row }) : setupOf(row.channel) === 'credentials' && setHooked(row)
          }
        />
      )}
      {hooked && <HookDialog row={hooked} onClose={() => setHooked(null)} />}
      {asked?.what === 'remove' && <RemoveConnection row={asked.row} onClose={handleClose} />}
      {back !== null && back !== 'refused' && <PagesDialog {...back} onClose={() => setBack(null)} />}
      {asked?.what === 'code' && <CodeDialog id={asked.row.id} onClose={handleClose} />}
    </>
  )
}
