import { Spinner } from '@blueprintjs/core'
import { Chat, Search } from '@blueprintjs/icons'
import { atom, useAtom, useAtomValue, useSetAtom } from 'jotai'
import { type KeyboardEvent, useRef, useState } from 'react'
import { useLocation, useRoute } from 'wouter'
import { searchable } from '#domain/text/rules.ts'
import { contactSearch } from '#web/contact/atoms.ts'
import { useContactName } from '#web/contact/ContactName.tsx'
import { formattedNumber } from '#web/contact/phone.ts'
import { useWords } from '#web/i18n.ts'
import { searchPage } from '#web/message-search/page.ts'
import { screens } from '#web/screens.tsx'
import { store, useViewer } from '#web/session.ts'
import { ticketOf } from '#web/ticket/atoms.ts'
import { Avatar } from '#web/ui/Avatar.tsx'
import { Readable } from '#web/ui/Erased.tsx'
import { Overlay } from '#web/ui/Overlay.tsx'
import { Time } from '#web/ui/Time.tsx'
import { uiWords } from '#web/ui/words.ts'
import { paletteOpenAtom } from './atoms.ts'
import { everywhere } from './find.ts'
import css from './Palette.module.css'
import { type Hit, OfTicket, useActionHits } from './palette-actions.tsx'
import { findWords, menuWords } from './words.ts'

const messagesHit = 'messages'
/** ⌘K: screens and actions appear at once, tickets and contacts as the search finds them. */
export function Palette() {
  const [, params] = useRoute('/tickets/:uuid')
  const { row } = useAtomValue(params?.uuid ? ticketOf(params.uuid) : noTicket)
  return row ? <OfTicket ticket={row}>{(hits) => <Finder own={hits} />}</OfTicket> : <Finder own={none} />
}
const noTicket = atom({ row: null })
const none: Hit[] = []

/** `own`: the actions of the open ticket. */
function Finder({ own }: { own: Hit[] }) {
  const t = useWords(findWords)
  const tUi = useWords(uiWords)
  const [wanted, setWanted] = useAtom(everywhere.wanted)
  const busy = useAtomValue(everywhere.busy)
  const setPaletteOpen = useSetAtom(paletteOpenAtom)
  const [at, setAt] = useState(0)
  const list = useRef<HTMLDivElement>(null)
  const hits = useHits(wanted, own)
  const close = () => {
    setPaletteOpen(false)
    setWanted('')
  }
  const chosen = Math.min(at, hits.length - 1)
  const move = (to: number) => {
    setAt(to)
    list.current?.children[to]?.scrollIntoView({ block: 'nearest' })
  }
  const handleKeyDown = (event: KeyboardEvent) => {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (by) move((chosen + by + hits.length) % Math.max(1, hits.length))
    else if (event.key === 'Enter' && hits[chosen]) {
      hits[chosen].run()
      close()
    } else return
    event.preventDefault()
  }
  return (
    <Overlay onClose={close} className={css.over!} autoFocus enforceFocus usePortal>
      <div className={css.palette} data-part="palette" data-settles role="dialog" aria-label={t('title')} onKeyDown={handleKeyDown}>
        <label className={css.line}>
          <Search size={16} />
          <input
            // biome-ignore lint/a11y/noAutofocus: the user opened it to type
            autoFocus
            role="combobox"
            aria-expanded
            aria-controls="palette-hits"
            aria-activedescendant={hits[chosen]?.id}
            placeholder={t('placeholder')}
            value={wanted}
            onChange={({ target }) => {
              setWanted(target.value)
              setAt(0)
            }}
          />
          {busy && <Spinner size={16} aria-label={tUi('loading')} />}
        </label>
        <div className={css.hits} id="palette-hits" role="listbox" ref={list}>
          {hits.map((hit, index) => (
            <button
              key={hit.id}
              id={hit.id}
              type="button"
              role="option"
              tabIndex={-1}
              aria-selected={index === chosen}
              className={css.hit}
              data-part="palette-hit"
              data-group={hits[index - 1]?.group === hit.group ? undefined : hit.group}
              onMouseMove={() => setAt(index)}
              onClick={() => {
                hit.run()
                close()
              }}
            >
              {hit.mark}
              <span className={css.text}>{hit.text}</span>
              {hit.more && <span className={css.more}>{hit.more}</span>}
            </button>
          ))}
          {hits.every(({ id }) => id === messagesHit) && !busy && <p className={css.none}>{tUi('noneFound', { search: wanted })}</p>}
        </div>
      </div>
    </Overlay>
  )
}

function useHits(wanted: string, own: Hit[]): Hit[] {
  const t = useWords(findWords)
  const tMenu = useWords(menuWords)
  const nameOf = useContactName()
  const viewer = useViewer()
  const [, go] = useLocation()
  const actions = useActionHits()
  const { tickets, contacts } = useAtomValue(everywhere.found)

  const there = screens.flatMap(({ menu: entry, may, word, exists }): Hit[] => {
    if (!entry || may(viewer) !== null || (exists && !store.get(exists))) return []
    const Icon = entry.icon
    return [{ id: `screen-${word}`, group: t('screens'), mark: <Icon size={16} />, text: tMenu(word), run: () => go(entry.href) }]
  })
  const matching = [...there, ...own, ...actions].filter(({ text }) => searchable(text).includes(searchable(wanted.trim())))
  const text = wanted.trim()
  const further: Hit = {
    ...{
      id: messagesHit,
      group: t('messages'),
      mark: <Chat size={16} />,
      text: t('inMessages', { text }),
      run: () => go(searchPage(text)),
    },
  }
  return [
    ...matching,
    ...tickets.map(({ id, uuid, contact, lastMessage, updatedAt }) => ({
      id: `ticket-${id}`,
      group: t('tickets'),
      mark: <Avatar name={contact.name} picture={contact.urlPicture} size={24} />,
      text: nameOf(contact.name),
      more: (
        <>
          <span className={css.last}>
            <Readable text={lastMessage} />
          </span>{' '}
          <Time at={updatedAt} />
        </>
      ),
      run: () => go(`/tickets/${uuid}`),
    })),
    ...contacts.map(({ id, name, number, urlPicture }) => ({
      id: `contact-${id}`,
      group: t('contacts'),
      mark: <Avatar name={name} picture={urlPicture} size={24} />,
      text: name,
      more: formattedNumber(number),
      run: () => {
        store.set(contactSearch.settled, name)
        go('/contacts')
      },
    })),
    ...(text.length >= 2 ? [further] : []),
  ]
}
