import { Button } from '@blueprintjs/core'
import { Chat, Edit, GitMerge, People, Trash } from '@blueprintjs/icons'
import { useAtomValue, useSetAtom } from 'jotai'
import { lazy, Suspense, useEffect, useState } from 'react'
import { Link, useLocation, useParams } from 'wouter'
import { isChannel, networkName } from '#domain/channel/channels.ts'
import { type ContactRow, contacts, type Merge } from '#domain/contact/contract.ts'
import { tickets } from '#domain/ticket/contract.ts'
import { ApiError, api } from '#web/api.ts'
import { PersonData } from '#web/data-request/PersonData.tsx'
import { useWords } from '#web/i18n.ts'
import { Notes } from '#web/note/Notes.tsx'
import { noteWords } from '#web/note/words.ts'
import { useMay } from '#web/session.ts'
import { contactOf, hasUnseenTickets, ticketsOf } from '#web/ticket/drawer/contacts.ts'
import { TagPicker } from '#web/ticket/drawer/TagPicker.tsx'
import { contactWords as drawerWords } from '#web/ticket/drawer/words.ts'
import { Rating } from '#web/ticket/Rating.tsx'
import { Status } from '#web/ticket/Status.tsx'
import { ticketWords } from '#web/ticket/words.ts'
import { Avatar } from '#web/ui/Avatar.tsx'
import { useAsyncAction } from '#web/ui/async-action.ts'
import { Head } from '#web/ui/Head.tsx'
import { Empty, ErrorView, Skeleton } from '#web/ui/states.tsx'
import { Time } from '#web/ui/Time.tsx'
import { toast } from '#web/ui/toaster.ts'
import { uiWords } from '#web/ui/words.ts'
import { BlockContact } from './BlockContact.tsx'
import { ContactDialog } from './ContactDialog.tsx'
import { ContactFiles } from './ContactFiles.tsx'
import css from './ContactProfile.module.css'
import { useFieldText } from './fields.ts'
import { fileWords } from './file-words.ts'
import { MergeDialog } from './MergeDialog.tsx'
import { formattedNumber } from './phone.ts'
import { overviewOf, similarTo } from './profile.ts'
import { profileWords } from './profile-words.ts'
import { RemoveContact } from './RemoveContact.tsx'
import { contactWords } from './words.ts'

const NewTicket = lazy(() => import('#web/ticket/dialogs/NewTicketDialog.tsx').then(({ NewTicket }) => ({ default: NewTicket })))

/** The page of one contact. The address of a merged contact leads to its target (A-MERGE-01). */
export function ContactProfile() {
  const id = Number(useParams<{ id: string }>().id)
  const t = useWords(profileWords)
  const [, navigate] = useLocation()
  const of = contactOf(id)
  const { row, state, error } = useAtomValue(of)
  const reload = useSetAtom(of.reload)
  const shownId = row?.id
  useEffect(() => {
    if (shownId !== undefined && shownId !== id) navigate(`/contacts/${shownId}`, { replace: true })
  }, [shownId, id, navigate])
  const isMissing = state === 'gone' || (error instanceof ApiError && (error.status === 404 || error.status === 400))
  if (row) return <Profile contact={row} />
  return (
    <>
      <Head title={t('page')} />
      {isMissing ? (
        <Empty icon={<People size={20} />} title={t('missing')} action={<Link href="/contacts">{t('all')}</Link>} />
      ) : state === 'failed' ? (
        <ErrorView error={error} onRetry={reload} />
      ) : (
        <Skeleton rows={8} height={40} avatar />
      )}
    </>
  )
}

function Profile({ contact }: { contact: ContactRow }) {
  const t = useWords(profileWords)
  const tDrawer = useWords(drawerWords)
  const tNote = useWords(noteWords)
  const tFile = useWords(fileWords)
  const [newest] = useAtomValue(ticketsOf(contact.id).all)
  const hasUnseen = useAtomValue(hasUnseenTickets(contact.id))
  return (
    <>
      <Head title={contact.name} lead={<Lead contact={contact} />}>
        <Actions contact={contact} />
      </Head>
      <div className={css.page} data-part="contact-page">
        <div className={css.column}>
          <Section title={tDrawer('tags')}>
            <TagPicker contact={contact} />
          </Section>
          <Section title={t('facts')}>
            <Facts contact={contact} />
          </Section>
          <Known contact={contact} />
          <Similar contact={contact} />
        </div>
        <div className={css.column}>
          <Section title={t('tickets')}>
            <Tickets contactId={contact.id} />
          </Section>
          {newest && (
            <Section title={tNote('title')}>
              <Notes ticketId={newest.id} contactId={contact.id} />
            </Section>
          )}
          <Section title={tFile('title')}>
            <ContactFiles contactId={contact.id} unseen={hasUnseen ? tDrawer('unseenTickets') : null} />
          </Section>
        </div>
      </div>
    </>
  )
}

function Section({ title, children }: { title: string; children: React.ReactNode }) {
  return (
    <section className={css.section} aria-label={title}>
      <h2>{title}</h2>
      {children}
    </section>
  )
}

function Lead({ contact }: { contact: ContactRow }) {
  const t = useWords(contactWords)
  return (
    <span className={css.lead}>
      <Avatar name={contact.name} picture={contact.urlPicture} size={26} />
      <span className="nums">{contact.isGroup ? '' : formattedNumber(contact.number)}</span>
      {!contact.active && <em className={css.blocked}>{t('blocked')}</em>}
    </span>
  )
}

function Actions({ contact }: { contact: ContactRow }) {
  const t = useWords(profileWords)
  const tContact = useWords(contactWords)
  const tUi = useWords(uiWords)
  const [, navigate] = useLocation()
  const [opened, setOpened] = useState<'ticket' | 'edit' | 'merge' | 'remove' | null>(null)
  const apply = useSetAtom(contactOf(contact.id).apply)
  const mayCall = useMay(tickets.open)
  const mayEdit = useMay(contacts.update)
  const mayMerge = useMay(contacts.merge) && !contact.isGroup
  const mayRemove = useMay(contacts.remove)
  const close = () => setOpened(null)
  const put = (row: ContactRow) => apply([{ op: 'put', row }])
  return (
    <>
      {mayEdit && <Button icon={<Edit />} text={tUi('edit')} onClick={() => setOpened('edit')} />}
      {mayMerge && <Button icon={<GitMerge />} text={t('merge')} onClick={() => setOpened('merge')} />}
      <BlockContact contact={contact} onSaved={put} />
      {mayRemove && <Button icon={<Trash />} text={tUi('remove')} onClick={() => setOpened('remove')} />}
      <PersonData contact={contact} onErased={() => navigate('/contacts')} />
      {mayCall && (
        <Button
          intent="primary"
          icon={<Chat />}
          disabled={!contact.active || !contact.validNumber}
          text={tContact('chat')}
          onClick={() => setOpened('ticket')}
        />
      )}
      {opened === 'edit' && <ContactDialog contact={contact} onSaved={put} onClose={close} />}
      {opened === 'merge' && <MergeDialog contact={contact} onMerged={({ id }) => navigate(`/contacts/${id}`)} onClose={close} />}
      {opened === 'remove' && <RemoveContact contact={contact} onClose={close} />}
      {opened === 'ticket' && (
        <Suspense>
          <NewTicket contact={contact} onClose={close} />
        </Suspense>
      )}
    </>
  )
}

const calledNetwork = (network: string): string => (isChannel(network) ? networkName(network) : network)

function Facts({ contact }: { contact: ContactRow }) {
  const t = useWords(drawerWords)
  const text = useFieldText()
  const facts = [
    ...(contact.email ? [{ id: 'email', name: t('email'), value: contact.email }] : []),
    { id: 'channel', name: calledNetwork(contact.channel), value: contact.whatsapp?.name ?? '—' },
    ...contact.extraInfo.map((info) => ({ ...info, value: text(info) })),
  ]
  return (
    <dl className={css.facts}>
      {facts.map(({ id, name, value }) => (
        <div key={id}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

/** The ids of the contact, and the contacts that were merged into it. */
function Known({ contact }: { contact: ContactRow }) {
  const t = useWords(profileWords)
  const of = overviewOf(contact.id)
  const loaded = useAtomValue(of)
  const reload = useSetAtom(of.reload)
  // a merge or its undo changes the version
  useEffect(() => void (contact.version > 0 && reload()), [contact.version, reload])
  if (loaded.state === 'failed') return <ErrorView error={loaded.error} onRetry={reload} />
  if (loaded.state === 'loading') return <Skeleton rows={2} />
  const { ids, merges } = loaded.value
  return (
    <>
      <Section title={t('ids')}>
        <ul className={css.list} data-part="contact-ids">
          {ids.map(({ network, kind, id }) => (
            <li key={`${network} ${kind} ${id}`}>
              <span className="nums">{kind === 'phone' ? formattedNumber(id) : id}</span> <small>{calledNetwork(network)}</small>
            </li>
          ))}
        </ul>
      </Section>
      {merges.length > 0 && (
        <Section title={t('merges')}>
          <ul className={css.list} data-part="contact-merges">
            {merges.map((one) => (
              <MergedContact key={one.id} merge={one} />
            ))}
          </ul>
        </Section>
      )}
    </>
  )
}

function MergedContact({ merge: { source, user, createdAt, canUndo } }: { merge: Merge }) {
  const t = useWords(profileWords)
  const act = useAsyncAction()
  const mayUndo = useMay(contacts.separate) && canUndo
  const undo = act(() => api.contacts.separate({ params: { id: source.id } }).then(() => toast(t('separated', { name: source.name }))))
  return (
    <li>
      <span>
        {source.name} <small className="nums">{formattedNumber(source.number)}</small> {source.email && <small>{source.email}</small>}
        <small className={css.by}>
          {user && t('mergedBy', { user: user.name })} <Time at={createdAt} />
        </small>
      </span>
      {mayUndo && (
        <Button
          size="small"
          text={t('undo')}
          aria-label={t('undoOf', { name: source.name })}
          loading={act.pending}
          onClick={() => void undo()}
        />
      )}
    </li>
  )
}

function Similar({ contact }: { contact: ContactRow }) {
  const t = useWords(profileWords)
  const [, navigate] = useLocation()
  const [other, setOther] = useState<ContactRow | null>(null)
  const of = similarTo(contact.id)
  const loaded = useAtomValue(of)
  const reload = useSetAtom(of.reload)
  const mayMerge = useMay(contacts.merge)
  useEffect(() => void (contact.version > 0 && reload()), [contact.version, reload])
  if (loaded.state !== 'ready' || loaded.value.length === 0) return null
  return (
    <Section title={t('similar')}>
      <ul className={css.list} data-part="contact-similar">
        {loaded.value.map(({ contact: row, why }) => (
          <li key={row.id}>
            <span>
              <Link href={`/contacts/${row.id}`} className={css.other}>
                {row.name}
              </Link>{' '}
              <small className="nums">{formattedNumber(row.number)}</small>
              <small className={css.by}>{why.map((one) => t(`why${one}`)).join(', ')}</small>
            </span>
            {mayMerge && (
              <Button size="small" text={t('mergeVerb')} aria-label={t('mergeWith', { name: row.name })} onClick={() => setOther(row)} />
            )}
          </li>
        ))}
      </ul>
      {other && (
        <MergeDialog contact={contact} other={other} onMerged={({ id }) => navigate(`/contacts/${id}`)} onClose={() => setOther(null)} />
      )}
    </Section>
  )
}

/** The tickets that the viewer may see; of others only that they exist (A-VIS-02). */
function Tickets({ contactId }: { contactId: number }) {
  const t = useWords(profileWords)
  const tDrawer = useWords(drawerWords)
  const tTicket = useWords(ticketWords)
  const list = ticketsOf(contactId)
  const rows = useAtomValue(list.all)
  const state = useAtomValue(list.state)
  const error = useAtomValue(list.error)
  const reload = useSetAtom(list.reload)
  const hasMore = useAtomValue(list.hasMore)
  const more = useSetAtom(list.more)
  const hasUnseen = useAtomValue(hasUnseenTickets(contactId))
  if (state === 'failed') return <ErrorView error={error} onRetry={reload} />
  if (state === 'loading' && rows.length === 0) return <Skeleton rows={4} />
  return (
    <>
      {rows.length === 0 && <p className={css.none}>{hasUnseen ? tDrawer('unseenTickets') : t('noTickets')}</p>}
      <ul className={css.list} data-part="contact-tickets">
        {rows.map((row) => (
          <li key={row.id}>
            <Link href={`/tickets/${row.uuid}`} className={css.ticket}>
              <span className={css.line}>
                <b className="nums">#{row.id}</b>
                <Status of={row.status} closeReason={row.closeReason} />
                <Rating nps={row.nps} />
                <Time at={row.updatedAt} className={css.time} />
              </span>
              <small className={css.by}>
                {row.queue?.name ?? tTicket('noQueue')} · {row.user?.name ?? tTicket('noUser')}
              </small>
            </Link>
          </li>
        ))}
      </ul>
      {hasMore && <Button size="small" variant="minimal" text={t('more')} onClick={() => void more()} />}
      {!hasMore && hasUnseen && rows.length > 0 && <p className={css.none}>{tDrawer('unseenTickets')}</p>}
    </>
  )
}
