import { Button, Checkbox, DialogBody, DialogFooter, Tag } from '@blueprintjs/core'
import { useAtomValue } from 'jotai'
import { useState } from 'react'
import type { Static } from 'typebox'
import { channelOfProduct, channels } from '#domain/channel/channels.ts'
import type { connections } from '#domain/connection/contract.ts'
import { api } from '#web/api.ts'
import { useLanguage, useWords } from '#web/i18n.ts'
import { useAsyncAction } from '#web/ui/async-action.ts'
import { Dialog } from '#web/ui/Dialog.tsx'
import { date } from '#web/ui/moment.ts'
import { createRemoteAtom } from '#web/ui/remote-atom.ts'
import { Empty, ErrorView, Skeleton } from '#web/ui/states.tsx'
import { toast } from '#web/ui/toaster.ts'
import { uiWords } from '#web/ui/words.ts'
import css from './Connections.module.css'
import { cloudWords } from './cloud-words.ts'
import { goToMeta, wantedAtMeta } from './metaLogin.ts'

type Found = Static<(typeof connections)['facebookPages']['answer']>
type Account = Found['accounts'][number]

/**
 * Lets an admin who returned from Meta choose the pages and Instagram accounts that become connections or get a
 * new token.
 */
export function PagesDialog({ code, state, onClose }: { code: string; state: string; onClose: () => void }) {
  const t = useWords(cloudWords)
  const tUi = useWords(uiWords)
  const act = useAsyncAction()
  const language = useLanguage()
  const [asked] = useState(() => createRemoteAtom(() => api.connections.facebookPages({ body: { code, state } })))
  const found = useAtomValue(asked)
  const [marked, setMarked] = useState<ReadonlySet<string> | null>(null)
  const all = found.state === 'ready' ? found.value.accounts.filter(({ taken }) => !taken) : []
  const chosen = marked ?? new Set(atFirst(all, wantedAtMeta()).map(({ accountId }) => accountId))
  const turn = (id: string) => setMarked(new Set(chosen.has(id) ? [...chosen].filter((one) => one !== id) : [...chosen, id]))
  const handleConnect = () =>
    void act(async () => {
      if (found.state !== 'ready') return
      const body = { login: found.value.login, accounts: [...chosen] }
      const { created, renewed, taken, left } = await api.connections.facebook({ body })
      const out = [...taken, ...left]
      toast(t(out.length > 0 ? 'connectedBut' : 'connected', { created, renewed, out: out.join(', ') }))
      onClose()
    })()
  return (
    <Dialog isOpen title={t('pagesTitle')} onClose={onClose}>
      <DialogBody>
        {found.state === 'loading' && <Skeleton rows={4} height={36} />}
        {found.state === 'failed' && <ErrorView error={found.error} onRetry={() => act(() => goToMeta(wantedAtMeta()))()} />}
        {found.state === 'ready' && (
          <>
            <p>{t(found.value.accounts.length > 0 ? 'pagesLead' : 'pagesNone')}</p>
            {found.value.accounts.length === 0 && <Empty title={t('pagesEmpty')} />}
            <ul className={css.pages} data-part="pages">
              {found.value.accounts.map((one) => (
                <Row
                  key={`${one.product} ${one.accountId}`}
                  one={one}
                  on={chosen.has(one.accountId)}
                  onToggle={() => turn(one.accountId)}
                />
              ))}
            </ul>
            {found.value.tokenExpiresAt && <p className={css.expiry}>{t('lasts', { at: date(found.value.tokenExpiresAt, language) })}</p>}
          </>
        )}
      </DialogBody>
      <DialogFooter
        actions={
          <>
            <Button text={tUi('cancel')} onClick={onClose} />
            <Button
              intent="primary"
              text={t('connect', { n: found.state === 'ready' ? chosen.size : 0 })}
              disabled={found.state !== 'ready' || chosen.size === 0}
              loading={act.pending}
              onClick={handleConnect}
            />
          </>
        }
      />
    </Dialog>
  )
}

/** Preselects the new accounts of the wanted product, otherwise the known ones that nobody disconnected. */
function atFirst(all: Account[], wanted: Account['product'] | null): Account[] {
  const fresh = all.filter(({ connectionId, product }) => connectionId === null && (wanted === null || product === wanted))
  const known = all.filter(({ connectionId, ended }) => connectionId !== null && !ended)
  return wanted !== null || known.length === 0 ? fresh : known
}

function Row({
  one: { product, businessId, name, taken, ended, connectionId },
  on,
  onToggle,
}: {
  one: Account
  on: boolean
  onToggle: () => void
}) {
  const t = useWords(cloudWords)
  const hint = taken ? 'pageTaken' : ended ? 'pageEnded' : connectionId !== null && 'pageHere'
  return (
    <li data-linked={businessId !== null || undefined}>
      <Checkbox checked={on && !taken} disabled={taken} onChange={onToggle}>
        <span dir="auto">{name}</span> <Tag minimal>{channels[channelOfProduct(product)].name}</Tag> {hint && <small>{t(hint)}</small>}
      </Checkbox>
    </li>
  )
}
