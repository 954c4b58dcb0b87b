import { Button } from '@blueprintjs/core'
import { ChevronLeft, DrawerRight, More, Reset, SwapHorizontal, Tick, Undo } from '@blueprintjs/icons'
import { useAtom, useAtomValue, useSetAtom } from 'jotai'
import { lazy } from 'react'
import { useLocation } from 'wouter'
import type { TicketRow } from '#domain/ticket/contract.ts'
import { formattedNumber } from '#web/contact/phone.ts'
import { useWords } from '#web/i18n.ts'
import { useViewer } from '#web/session.ts'
import { allowed, useTicketActions } from '#web/ticket/actions.ts'
import { dialogAtom, drawerAtom, narrowAtom } from '#web/ticket/atoms.ts'
import { Face } from '#web/ticket/Channel.tsx'
import { Drop } from '#web/ticket/list/Drop.tsx'
import { Rating } from '#web/ticket/Rating.tsx'
import { Status } from '#web/ticket/Status.tsx'
import { useWrites } from '#web/ticket/typing.ts'
import { ticketWords } from '#web/ticket/words.ts'
import { Chip } from '#web/ui/Chip.tsx'
import { useClickGuard } from '#web/ui/click-guard.ts'
import { useKeys, withKeys } from '#web/ui/keys.ts'
import css from './Header.module.css'
import { ticketKeys } from './keys.ts'

const TicketMenu = lazy(() => import('./TicketMenu.tsx').then(({ TicketMenu }) => ({ default: TicketMenu })))

const toComposer = () => document.querySelector<HTMLElement>('[data-part=composer] textarea')?.focus()

export function Header({ ticket }: { ticket: TicketRow }) {
  const t = useWords(ticketWords)
  const viewer = useViewer()
  const narrow = useAtomValue(narrowAtom)
  const [drawer, setDrawer] = useAtom(drawerAtom)
  const setDialog = useSetAtom(dialogAtom)
  const [, go] = useLocation()
  const actions = useTicketActions(ticket)
  const may = allowed(ticket, viewer)
  const { contact, queue, user, status } = ticket
  const writes = useWrites(ticket.id)
  const settled = useClickGuard<HTMLDivElement>(`${status} ${ticket.userId}`)
  useKeys(t('ticket'), [
    ...(may.accept || may.reopen
      ? [{ keys: ticketKeys.accept, label: t(may.accept ? 'accept' : 'reopen'), run: actions.acceptByKey }]
      : []),
    ...(may.write ? [{ keys: ticketKeys.write, label: t('write'), run: toComposer }] : []),
    ...(may.transfer ? [{ keys: ticketKeys.transfer, label: t('transfer'), run: () => setDialog({ kind: 'transfer', ticket }) }] : []),
    ...(may.giveBack ? [{ keys: ticketKeys.giveBack, label: t('giveBack'), run: actions.giveBack }] : []),
    ...(may.resolve ? [{ keys: ticketKeys.resolve, label: t('resolve'), run: () => actions.resolve(true) }] : []),
    { keys: ticketKeys.notes, label: t('notes'), run: () => setDialog({ kind: 'notes', ticket }) },
    { keys: ticketKeys.print, label: t('print'), run: () => setDialog({ kind: 'print', ticket }) },
  ])
  return (
    <header className={css.head} data-part="head">
      <Button variant="minimal" icon={<ChevronLeft />} aria-label={t('back')} title={t('back')} onClick={() => go('/tickets')} />
      <div className={css.who} data-part="head-who">
        <Face name={contact.name} picture={contact.urlPicture} size={38} channel={ticket.channel} />
        <span className={css.text}>
          <span className={css.line}>
            <h2>
              <button
                type="button"
                className={css.name}
                data-part="head-name"
                title={t('contact')}
                aria-expanded={drawer}
                onClick={() => setDrawer(!drawer)}
              >
                <bdi>{contact.name}</bdi>
              </button>
            </h2>
            <span className={`${css.number} nums`}>{ticket.isGroup ? '' : formattedNumber(contact.number)}</span>
          </span>
          <span className={`${css.line} ${css.facts}`}>
            {writes ? (
              <span className={css.writes} data-part="writes">
                {t('writes')}
              </span>
            ) : (
              <Status of={status} closeReason={ticket.closeReason} />
            )}
            <Rating nps={ticket.nps} />
            <Chip className={css.queue} name={queue?.name ?? t('noQueue')} color={queue?.color ?? '#8b93a1'} />
            {(user || !ticket.isGroup) && <span className={css.owner}>{user?.name ?? (ticket.isBot ? t('bot') : t('noUser'))}</span>}
            <span className={`${css.id} nums`}>#{ticket.id}</span>
          </span>
        </span>
      </div>
      <div className={css.actions} ref={settled}>
        {!narrow && may.giveBack && (
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
        {!narrow && may.transfer && (
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
        {may.accept && (
          <Button
            intent="primary"
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
        <Drop placement="bottom-end" content={() => <TicketMenu ticket={ticket} actions={actions} />}>
          <Button variant="minimal" icon={<More />} aria-label={`${t('actions')}: ${contact.name}`} title={t('actions')} />
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
    </header>
  )
}
