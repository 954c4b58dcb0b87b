import { Button } from '@blueprintjs/core'
import { MobilePhone, Plus } from '@blueprintjs/icons'
import { useAtom, useAtomValue, useSetAtom } from 'jotai'
import { type ReactNode, useState } from 'react'
import { useWords } from '#web/i18n.ts'
import { Head } from '#web/ui/Head.tsx'
import { HTMLSelect } from '#web/ui/HTMLSelect.tsx'
import { Empty, ErrorView, Skeleton } from '#web/ui/states.tsx'
import { chosenConnectionAtom, connectionsAtom, holdersAtom } from './atoms.ts'
import { Choose } from './Choose.tsx'
import { Network } from './Network.tsx'
import { Phone } from './Phone.tsx'
import css from './Sandbox.module.css'
import { SimulatedClock } from './SimulatedClock.tsx'
import { sandboxWords } from './words.ts'

/** The sandbox: several simulated phones of customers. */
export function Sandbox() {
  const t = useWords(sandboxWords)
  const connections = useAtomValue(connectionsAtom)
  const reload = useSetAtom(connectionsAtom.reload)
  const [chosen, choose] = useAtom(chosenConnectionAtom)
  if (connections.state === 'failed') return <ErrorView error={connections.error} onRetry={reload} />
  if (connections.state === 'loading') return <Skeleton rows={4} height={60} avatar />
  const [first] = connections.value
  if (!first)
    return (
      <Empty icon={<MobilePhone size={20} />} title={t('none')}>
        {t('noneLead')}
      </Empty>
    )
  const at = connections.value.find(({ id }) => id === chosen) ?? first
  return (
    <Desk key={at.id} connectionId={at.id}>
      {connections.value.length > 1 && (
        <HTMLSelect
          aria-label={t('writesTo')}
          title={t('writesTo')}
          value={at.id}
          options={connections.value.map(({ id, name }) => ({ value: id, label: name }))}
          onChange={({ currentTarget }) => choose(Number(currentTarget.value))}
        />
      )}
    </Desk>
  )
}

/** `children`: the choice of the connection. */
function Desk({ connectionId, children }: { connectionId: number; children: ReactNode }) {
  const t = useWords(sandboxWords)
  const [holders, setHolders] = useAtom(holdersAtom)
  const [choosing, setChoosing] = useState(false)
  const add = <Button intent="primary" icon={<Plus />} text={t('add')} onClick={() => setChoosing(true)} />
  return (
    <div className={css.desk}>
      <Head title={t('title')} lead={t('lead')}>
        {children}
        <SimulatedClock />
        <Network connectionId={connectionId} />
        {add}
      </Head>
      {holders.length === 0 ? (
        <Empty icon={<MobilePhone size={20} />} title={t('empty')} action={add}>
          {t('emptyLead')}
        </Empty>
      ) : (
        <ul className={css.phones}>
          {holders.map((holder) => (
            <li key={holder.number}>
              <Phone
                connectionId={connectionId}
                holder={holder}
                onPutAway={() => setHolders(holders.filter(({ number }) => number !== holder.number))}
              />
            </li>
          ))}
        </ul>
      )}
      {choosing && (
        <Choose
          connectionId={connectionId}
          onClose={() => setChoosing(false)}
          onChoose={(holder) => setHolders([...holders.filter(({ number }) => number !== holder.number), holder])}
        />
      )}
    </div>
  )
}
