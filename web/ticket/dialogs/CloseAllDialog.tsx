import { useAtomValue, useSetAtom } from 'jotai'
import { useState } from 'react'
import type { Answer, Ask } from '#domain/contract.ts'
import type { closing, TicketRow } from '#domain/ticket/contract.ts'
import { api } from '#web/api.ts'
import { begun } from '#web/bulk-operation/atoms.ts'
import { workWords } from '#web/bulk-operation/words.ts'
import { useWords } from '#web/i18n.ts'
import type { Collection } from '#web/live.ts'
import { store, useSettings, useViewer } from '#web/session.ts'
import { listAtom, underWay } from '#web/ticket/atoms.ts'
import { everything, query } from '#web/ticket/list/wanted.ts'
import { tabWords } from '#web/ticket/list/words.ts'
import { ticketWords } from '#web/ticket/words.ts'
import { Confirm } from '#web/ui/Confirm.tsx'
import dialog from '#web/ui/Dialog.module.css'
import { createRemoteAtom } from '#web/ui/remote-atom.ts'
import { toast, toastUndo } from '#web/ui/toaster.ts'
import type { DialogProps } from './dialog.ts'

/** More tickets take long, so the dialog does not wait for them. */
const atOnce = 20

/** Time to wait until the read models show the result. */
const timeoutMs = 30_000
function comes({ ids }: Collection<TicketRow>, there: () => boolean): Promise<void> {
  return new Promise((resolve) => {
    const look = () => there() && end()
    const end = () => {
      clearTimeout(timer)
      leave()
      resolve()
    }
    const timer = setTimeout(end, timeoutMs)
    const leave = store.sub(ids, look)
    look()
  })
}

type Holders = Answer<typeof closing.asked>['holders']

/** R-TICKET-18: closes the filtered tickets of the list after showing their number and agents. */
export function CloseAllDialog({ of: { tab, choice }, onClose }: DialogProps<'closeAll'>) {
  const t = useWords(ticketWords)
  const tTab = useWords(tabWords)
  const tWork = useWords(workWords)
  const viewer = useViewer()
  const settings = useSettings()
  const list = useAtomValue(listAtom)!
  const reload = useSetAtom(list.reload)
  const [listed] = useState(() => {
    const { pageNumber: _, pageSize: __, ...filters } = query({ tab, choice, text: '', onMessages: false, pageSize: 1 }, viewer, 1)
    return filters as Ask<typeof closing.asked>['query']
  })
  const [counting] = useState(() => createRemoteAtom(() => api.closing.asked({ query: listed })))
  const counted = useAtomValue(counting)
  const n = counted.state === 'ready' ? counted.value.count : null
  const filtered = JSON.stringify({ ...choice, showAll: false, sort: null }) !== JSON.stringify(everything)
  return (
    <Confirm
      title={t('closeAll')}
      verb={n ? t('closeCount', { n }) : t('closeAll')}
      waits={counted.state === 'loading'}
      off={n === null || n === 0}
      onClose={onClose}
      onConfirm={async () => {
        if ((n ?? 0) > atOnce) {
          begun(await api.closing.begin({ body: listed }))
          return toast(tWork('begun', { n: n ?? 0 }), 'primary')
        }
        const ids = store.get(list.ids)
        const standing = () => store.get(list.ids).filter((id) => ids.includes(id)).length
        const { count: closed, batch } = await underWay(ids, async () => {
          const done = await api.closing.close({ body: listed })
          await reload()
          await comes(list, () => standing() <= ids.length - done.count)
          return done
        })
        toastUndo(closed === 1 ? t('closedOne') : t('closedAll', { n: closed }), t('undo'), async () => {
          const stayed = standing()
          const done = toast(t('reopening'), 'primary', { timeout: timeoutMs })
          try {
            const { count: back } = await api.tickets.undoAll({ body: { batch } })
            await reload()
            await comes(list, () => standing() - stayed >= Math.min(back, ids.length - stayed))
          } finally {
            done()
          }
        })
      }}
      question={
        <>
          <p className={dialog.text}>{n === 0 ? t('closeNone') : t('closeAllText', { tab: tTab(tab) })}</p>
          {filtered && <p className={dialog.text}>{t('closeFiltered')}</p>}
          {settings.requiredTag === 'enabled' && <p className={dialog.text}>{t('closeUntagged')}</p>}
          {counted.state === 'ready' && <Whose holders={counted.value.holders} />}
        </>
      }
    />
  )
}

/** Warns that other agents lose tickets. */
function Whose({ holders }: { holders: Holders }) {
  const t = useWords(ticketWords)
  const viewer = useViewer()
  const people = holders.filter(({ user }) => user !== null)
  if (people.every(({ user }) => user?.id === viewer.id)) return null
  const nameOf = ({ user }: Holders[number]) => (user === null ? t('closeNobody') : user.id === viewer.id ? t('closeYou') : user.name)
  const ofOne = holders.length === 1
  const names = holders.map((one) => (ofOne ? nameOf(one) : `${nameOf(one)} ${one.count}`)).join(', ')
  const n = holders.reduce((sum, { count }) => sum + count, 0)
  return (
    <p className={dialog.text}>
      <strong>{ofOne ? t('closeOf', { n, names }) : t('closeWhose', { n, people: people.length, names })}</strong>
    </p>
  )
}
