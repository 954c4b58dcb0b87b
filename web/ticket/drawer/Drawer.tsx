import { Button, Switch } from '@blueprintjs/core'
import { Cross, Edit } from '@blueprintjs/icons'
import { useAtomValue, useSetAtom } from 'jotai'
import { useEffect } from 'react'
import { Link } from 'wouter'
import { networkName } from '#domain/channel/channels.ts'
import type { ContactRow } from '#domain/contact/contract.ts'
import { contacts } from '#domain/contact/contract.ts'
import type { TicketRow } from '#domain/ticket/contract.ts'
import { Automation } from '#web/automation/Automation.tsx'
import { automationWords } from '#web/automation/words.ts'
import { BlockContact } from '#web/contact/BlockContact.tsx'
import { useFieldText } from '#web/contact/fields.ts'
import { formattedNumber } from '#web/contact/phone.ts'
import { switchWords } from '#web/contact/switch-words.ts'
import { useContactSwitch } from '#web/contact/useContactSwitch.ts'
import { useWords } from '#web/i18n.ts'
import { Notes } from '#web/note/Notes.tsx'
import { noteWords } from '#web/note/words.ts'
import { useMay } from '#web/session.ts'
import { dialogAtom, drawerAtom } from '#web/ticket/atoms.ts'
import { contactWords } from '#web/ticket/drawer/words.ts'
import { Rating } from '#web/ticket/Rating.tsx'
import { Status } from '#web/ticket/Status.tsx'
import { ticketWords } from '#web/ticket/words.ts'
import { Avatar } from '#web/ui/Avatar.tsx'
import { useBackCloses } from '#web/ui/back-navigation.ts'
import { onePaneAtom } from '#web/ui/breakpoints.ts'
import { Erased } from '#web/ui/Erased.tsx'
import { ErrorView, Skeleton } from '#web/ui/states.tsx'
import { Time } from '#web/ui/Time.tsx'
import { contactOf, hasUnseenTickets, ticketsOf } from './contacts.ts'
import { Deal } from './Deal.tsx'
import css from './Drawer.module.css'
import { LaneChoice } from './LaneChoice.tsx'
import { SamePerson } from './SamePerson.tsx'
import { TagPicker } from './TagPicker.tsx'

/** R-INBOX-17: the contact, 320 px wide, beside the chat. */
export function Drawer({ ticket }: { ticket: TicketRow }) {
  const t = useWords(contactWords)
  const tNote = useWords(noteWords)
  const tAutomation = useWords(automationWords)
  const setDrawer = useSetAtom(drawerAtom)
  const whole = useAtomValue(onePaneAtom)
  useBackCloses(whole, () => setDrawer(false))
  useEffect(() => () => (whole ? setDrawer(false) : undefined), [whole, setDrawer])
  const contactAtom = contactOf(ticket.contactId)
  const { row, state, error } = useAtomValue(contactAtom)
  const reload = useSetAtom(contactAtom.reload)
  return (
    <aside className={css.drawer} aria-label={t('title')}>
      <header className={css.head}>
        <h2>{t('title')}</h2>
        <Button variant="minimal" icon={<Cross />} aria-label={t('close')} title={t('close')} onClick={() => setDrawer(false)} />
      </header>
      <div className={css.body} data-toasts data-scrolls>
        {row ? (
          <Who contact={row} channel={networkName(ticket.channel)} connection={ticket.whatsapp?.name ?? null} />
        ) : state === 'failed' ? (
          <ErrorView error={error} onRetry={reload} />
        ) : (
          <Skeleton rows={4} />
        )}
        {row && (
          <section aria-labelledby="drawer-tags">
            <h3 id="drawer-tags">{t('tags')}</h3>
            <TagPicker contact={row} />
          </section>
        )}
        <section aria-labelledby="drawer-ticket">
          <h3 id="drawer-ticket">{t('ticket')}</h3>
          <LaneChoice ticket={ticket} />
          <Deal ticket={ticket} />
        </section>
        <section aria-labelledby="drawer-notes">
          <h3 id="drawer-notes">{tNote('title')}</h3>
          <Notes ticketId={ticket.id} contactId={ticket.contactId} />
        </section>
        <section aria-labelledby="drawer-automation">
          <h3 id="drawer-automation">{tAutomation('title')}</h3>
          <Automation ticket={ticket} />
        </section>
        <section aria-labelledby="drawer-earlier">
          <h3 id="drawer-earlier">{t('earlier')}</h3>
          <Earlier ticket={ticket} />
        </section>
      </div>
    </aside>
  )
}

function Who({ contact, channel, connection }: { contact: ContactRow; channel: string; connection: string | null }) {
  const t = useWords(contactWords)
  const setDialog = useSetAtom(dialogAtom)
  const apply = useSetAtom(contactOf(contact.id).apply)
  const mayEdit = useMay(contacts.update)
  const text = useFieldText()
  return (
    <section className={css.who}>
      <Avatar name={contact.name} picture={contact.urlPicture} size={64} />
      <p className={css.whoName}>{contact.name === '' ? <Erased /> : <Link href={`/contacts/${contact.id}`}>{contact.name}</Link>}</p>
      <p className={`${css.whoNumber} nums`}>{contact.isGroup ? '' : formattedNumber(contact.number)}</p>
      <SamePerson contactId={contact.id} />
      {!contact.active && <p className={css.whoBlocked}>{t('blocked')}</p>}
      <p className={css.whoActions}>
        {mayEdit && (
          <Button size="small" icon={<Edit />} text={t('edit')} onClick={() => setDialog({ kind: 'contact', contactId: contact.id })} />
        )}
        <BlockContact contact={contact} size="small" onSaved={(row) => apply([{ op: 'put', row }])} />
      </p>
      {!contact.isGroup && <Switches contact={contact} onSaved={(row) => apply([{ op: 'put', row }])} />}
      <dl className={css.facts}>
        {contact.email !== '' && (
          <div>
            <dt>{t('email')}</dt>
            <dd>
              <a href={`mailto:${contact.email}`}>{contact.email}</a>
            </dd>
          </div>
        )}
        <div>
          <dt>{channel}</dt>
          <dd>{connection ?? '—'}</dd>
        </div>
        {contact.lgpdAcceptedAt && (
          <div>
            <dt>{t('accepted')}</dt>
            <dd>
              <Time at={contact.lgpdAcceptedAt} />
              {contact.lgpdText && (
                <small className={css.hash} title={contact.lgpdText} data-part="consent-text">
                  sha256 <code>{contact.lgpdText}</code>
                </small>
              )}
            </dd>
          </div>
        )}
        {contact.extraInfo.map((info) => (
          <div key={info.id}>
            <dt>{info.name}</dt>
            <dd>{text(info)}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

/** Whether the bot replies to the contact, and whether its voice messages are accepted. */
function Switches({ contact, onSaved }: { contact: ContactRow; onSaved: (row: ContactRow) => void }) {
  const t = useWords(switchWords)
  const { may, pending, set } = useContactSwitch(contact, onSaved)
  const isOff = !may || pending
  return (
    <div className={css.switches}>
      <Switch
        disabled={isOff}
        checked={!contact.disableBot}
        label={t('bot')}
        onChange={({ currentTarget: { checked } }) => set('disableBot', !checked)}
      />
      <Switch
        disabled={isOff}
        checked={contact.acceptAudioMessage}
        label={t('audio')}
        title={t('audioHint')}
        onChange={({ currentTarget: { checked } }) => set('acceptAudioMessage', checked)}
      />
    </div>
  )
}

function Earlier({ ticket }: { ticket: TicketRow }) {
  const t = useWords(contactWords)
  const tTicket = useWords(ticketWords)
  const list = ticketsOf(ticket.contactId)
  const rows = useAtomValue(list.all).filter(({ id }) => id !== ticket.id)
  const state = useAtomValue(list.state)
  const hasMore = useAtomValue(list.hasMore)
  const more = useSetAtom(list.more)
  const unseen = useAtomValue(hasUnseenTickets(ticket.contactId))
  if (state === 'loading' && rows.length === 0) return <Skeleton rows={2} />
  const note = unseen && <p className={css.none}>{t('unseenTickets')}</p>
  if (rows.length === 0) return note || <p className={css.none}>{t('noEarlier')}</p>
  return (
    <>
      <ul className={css.earlier}>
        {rows.map((row) => (
          <li key={row.id}>
            <Link href={`/tickets/${row.uuid}`}>
              <span className={css.earlierLine}>
                <b className="nums">#{row.id}</b>
                <Status of={row.status} closeReason={row.closeReason} />
                <Rating nps={row.nps} />
                <Time at={row.updatedAt} className={css.earlierTime} />
              </span>
              <span className={`${css.earlierLine} ${css.earlierText}`}>
                {row.queue?.name ?? tTicket('noQueue')} · {row.user?.name ?? tTicket('noUser')}
              </span>
            </Link>
          </li>
        ))}
      </ul>
      {hasMore && <Button size="small" variant="minimal" text="…" onClick={() => void more()} />}
      {!hasMore && note}
    </>
  )
}
