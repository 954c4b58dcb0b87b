import { Button } from '@blueprintjs/core'
import { DrawerRight, More, Reset, SwapHorizontal, Tick, Undo } from '@blueprintjs/icons'
import { useAtom, useAtomValue, useSetAtom } from 'jotai'
import { lazy } from 'react'
import type { TicketRow } from '#domain/ticket/contract.ts'
import { useWords } from '#web/i18n.ts'
import { useViewer } from '#web/session.ts'
import { allowed, type TicketActions } from '#web/ticket/actions.ts'
import { dialogAtom, drawerAtom, narrowAtom } from '#web/ticket/atoms.ts'
import { Drop } from '#web/ticket/list/Drop.tsx'
import { ticketWords } from '#web/ticket/words.ts'
import { useClickGuard } from '#web/ui/click-guard.ts'
import { withKeys } from '#web/ui/keys.ts'
import css from './Header.module.css'
import { ticketKeys } from './keys.ts'

const TicketMenu = lazy(() => import('./TicketMenu.tsx').then(({ TicketMenu }) => ({ default: TicketMenu })))

type Of = { ticket: TicketRow; actions: TicketActions }
/** The buttons of the header. A narrow chat has only the main action; its menu contains the others. */
export function HeaderActions({ ticket, actions }: Of) {
  const t = useWords(ticketWords)
  const narrow = useAtomValue(narrowAtom)
  const [drawer, setDrawer] = useAtom(drawerAtom)
  const settled = useClickGuard<HTMLDivElement>(`${ticket.status} ${ticket.userId}`)
  return (
    <div className={css.actions} ref={settled}>
      {!narrow && <LeavingActions ticket={ticket} actions={actions} />}
      <MainAction ticket={ticket} actions={actions} />
      <Drop placement="bottom-end" content={() => <TicketMenu ticket={ticket} actions={actions} />}>
        <Button variant="minimal" icon={<More />} aria-label={`${t('actions')}: ${ticket.contact.name}`} title={t('actions')} />
      </Drop>
      {!narrow && (
        <Button
          variant="minimal"
          icon={<DrawerRight />}
          active={drawer}
          aria-label={t('contact')}
          aria-pressed={drawer}
          title={t('contact')}
          onClick={() => setDrawer(!drawer)}
        />
      )}
    </div>
  )
}

/** Give back and transfer. */
function LeavingActions({ ticket, actions }: Of) {
  const t = useWords(ticketWords)
  const may = allowed(ticket, useViewer())
  const setDialog = useSetAtom(dialogAtom)
  return (
    <>
      {may.giveBack && (
        <Button
          className={`${css.worded} ${css.inMenu}`}
          variant="minimal"
          icon={<Undo />}
          text={t('giveBackShort')}
          aria-label={t('giveBack')}
          title={withKeys(t('giveBack'), ticketKeys.giveBack)}
          onClick={actions.giveBack}
        />
      )}
      {may.transfer && (
        <Button
          className={css.worded!}
          variant="minimal"
          icon={<SwapHorizontal />}
          text={t('transfer')}
          aria-label={t('transfer')}
          title={withKeys(t('transfer'), ticketKeys.transfer)}
          onClick={() => setDialog({ kind: 'transfer', ticket })}
        />
      )}
    </>
  )
}

/** Accept, resolve or reopen, whichever the status allows. Accept is quiet here, because the bar below the messages has it too. */
function MainAction({ ticket, actions }: Of) {
  const t = useWords(ticketWords)
  const may = allowed(ticket, useViewer())
  return (
    <>
      {may.accept && (
        <Button
          icon={<Tick />}
          text={t('accept')}
          title={withKeys(t('accept'), ticketKeys.accept)}
          loading={actions.pending}
          onClick={actions.accept}
        />
      )}
      {may.resolve && (
        <Button
          intent="primary"
          icon={<Tick />}
          text={t('resolve')}
          title={withKeys(t('resolve'), ticketKeys.resolve)}
          loading={actions.pending}
          onClick={() => actions.resolve(true)}
        />
      )}
      {may.reopen && (
        <Button
          intent="primary"
          icon={<Reset />}
          text={t('reopen')}
          title={withKeys(t('reopen'), ticketKeys.accept)}
          loading={actions.pending}
          onClick={actions.accept}
        />
      )}
    </>
  )
}
