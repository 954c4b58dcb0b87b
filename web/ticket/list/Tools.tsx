import { Button, InputGroup } from '@blueprintjs/core'
import { Archive, Chat, Cross, Filter, Plus, Search, Menu as TightRows } from '@blueprintjs/icons'
import { useAtom, useAtomValue, useSetAtom } from 'jotai'
import { lazy } from 'react'
import { Link } from 'wouter'
import { groups } from '#web/calls.ts'
import { useWords } from '#web/i18n.ts'
import { searchPage } from '#web/message-search/page.ts'
import { useMay } from '#web/session.ts'
import { choiceAtom, dialogAtom, onMessagesAtom, pageSizeAtom, searchAtom, tabAtom, typedAtom } from '#web/ticket/atoms.ts'
import { filterWords } from '#web/ticket/list/words.ts'
import { ticketWords } from '#web/ticket/words.ts'
import { HTMLSelect } from '#web/ui/HTMLSelect.tsx'
import { stateWords } from '#web/ui/state-words.ts'
import { compactAtom } from './compact.ts'
import { Drop } from './Drop.tsx'
import tabs from './Tabs.module.css'
import css from './Tools.module.css'
import type { Choice } from './wanted.ts'

const Filters = lazy(() => import('./Filters.tsx').then(({ Filters }) => ({ default: Filters })))

const active = ({ queueIds, tagIds, userIds, connectionIds, unread, showAll, sort }: Choice): number =>
  [queueIds, tagIds, userIds, connectionIds].filter(({ length }) => length > 0).length +
  [unread, showAll, sort !== null].filter(Boolean).length

/** The row below the tabs: new ticket, filters, and the actions of the tab. */
export function Tools() {
  const t = useWords(ticketWords)
  const tFilter = useWords(filterWords)
  const tab = useAtomValue(tabAtom)
  const choice = useAtomValue(choiceAtom)
  const setDialog = useSetAtom(dialogAtom)
  const mayOpen = useMay(groups.tickets.open)
  const mayCloseAll = useMay(groups.tickets.closeAll)
  const [compact, setCompact] = useAtom(compactAtom)
  const on = active(choice)
  return (
    <div className={css.tools}>
      <div className={css.line}>
        {mayOpen && (
          <Button size="small" intent="primary" icon={<Plus />} text={t('newTicket')} onClick={() => setDialog({ kind: 'new' })} />
        )}
        <span className={css.gap} />
        {mayCloseAll && tab !== 'closed' && tab !== 'search' && tab !== 'asked' && (
          <Button
            size="small"
            variant="minimal"
            icon={<Archive />}
            title={t('closeAll')}
            aria-label={t('closeAll')}
            onClick={() => setDialog({ kind: 'closeAll', tab, choice })}
          />
        )}
        <Button
          size="small"
          variant="minimal"
          icon={<TightRows />}
          active={compact}
          aria-pressed={compact}
          title={tFilter('compactRows')}
          aria-label={tFilter('compactRows')}
          onClick={() => setCompact(!compact)}
        />
        <Drop placement="bottom-end" content={() => <Filters />}>
          <Button
            size="small"
            variant="minimal"
            active={on > 0}
            icon={<Filter />}
            text={tFilter('filters')}
            aria-label={on > 0 ? tFilter('filtersOn', { n: on }) : tFilter('filters')}
            {...(on > 0 && {
              endIcon: (
                <span className={`${tabs.count} nums`} data-lit>
                  {on}
                </span>
              ),
            })}
          />
        </Drop>
      </div>
      {tab === 'search' && <SearchLine />}
    </div>
  )
}

const sizes = [10, 20, 50, 100]
function SearchLine() {
  const t = useWords(ticketWords)
  const tState = useWords(stateWords)
  const typed = useAtomValue(typedAtom)
  const setSearch = useSetAtom(searchAtom)
  const [onMessages, setOnMessages] = useAtom(onMessagesAtom)
  const [size, setSize] = useAtom(pageSizeAtom)
  return (
    <>
      <InputGroup
        autoFocus
        type="search"
        leftIcon={<Search />}
        placeholder={t('search')}
        aria-label={t('search')}
        value={typed}
        onValueChange={setSearch}
        {...(typed && {
          rightElement: (
            <Button variant="minimal" size="small" icon={<Cross />} aria-label={tState('clear')} onClick={() => setSearch('')} />
          ),
        })}
      />
      <div className={css.line}>
        <Button
          variant="minimal"
          size="small"
          icon={<Chat />}
          text={t('onMessages')}
          active={onMessages}
          aria-pressed={onMessages}
          onClick={() => setOnMessages(!onMessages)}
        />
        <span className={css.gap} />
        <HTMLSelect
          minimal
          aria-label={t('perPage')}
          title={t('perPage')}
          value={size}
          options={sizes}
          onChange={({ currentTarget }) => setSize(Number(currentTarget.value))}
        />
      </div>
      {typed.trim() !== '' && (
        <Link href={searchPage(typed)} className={css.everywhere} data-part="search-everywhere">
          <Search size={14} /> <span dir="auto">{t('allMessages', { text: typed.trim() })}</span>
        </Link>
      )}
    </>
  )
}
