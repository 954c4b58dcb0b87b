import { Button } from '@blueprintjs/core'
import { Cross, Search } from '@blueprintjs/icons'
import { useAtomValue } from 'jotai'
import { useLanguage, useWords } from '#web/i18n.ts'
import { useViewer } from '#web/session.ts'
import { connectionChoices, queueChoices, tagChoices, userChoices } from '#web/ticket/choices.ts'
import { Empty } from '#web/ui/states.tsx'
import { uiWords } from '#web/ui/words.ts'
import { emptyView, idLists, type SearchView } from './address.ts'
import css from './NoneFound.module.css'
import { periodName } from './period.ts'
import { searchWords } from './words.ts'

/** Nothing was found: what was searched, and each filter to remove. */
export function NoneFound({
  view,
  onChange,
  onSearch,
}: {
  view: SearchView
  onChange: (to: Partial<SearchView>) => void
  onSearch: (text: string) => void
}) {
  const t = useWords(searchWords)
  const tUi = useWords(uiWords)
  const { profile } = useViewer()
  const chosen = useChosen(view)
  return (
    <Empty
      icon={<Search size={20} />}
      title={view.q ? t('noneFor', { search: view.q }) : t('none')}
      action={
        <>
          {chosen.length > 0 && (
            <div className={css.chosen} data-part="found-filters">
              {chosen.map(({ name, without }) => (
                <Button
                  key={name}
                  size="small"
                  text={name}
                  endIcon={<Cross />}
                  aria-label={t('without', { name })}
                  onClick={() => onChange(without)}
                />
              ))}
            </div>
          )}
          {chosen.length > 0 && <Button text={tUi('clearFilters')} onClick={() => onChange({ ...emptyView, q: view.q })} />}
          {view.q !== '' && <Button text={tUi('clear')} onClick={() => onSearch('')} />}
        </>
      }
    >
      {profile !== 'admin' && t('covers')}
    </Empty>
  )
}

/** The set filters by name, each with the view without it. */
function useChosen(view: SearchView): { name: string; without: Partial<SearchView> }[] {
  const t = useWords(searchWords)
  const users = useAtomValue(userChoices.all)
  const rows = {
    queues: useAtomValue(queueChoices.all),
    agents: users,
    tags: useAtomValue(tagChoices.all),
    connections: useAtomValue(connectionChoices.all),
  }
  const named = (list: readonly { id: number; name: string }[], id: number) => list.find((row) => row.id === id)?.name ?? `#${id}`
  const language = useLanguage()
  const { sender, kind, from, to } = view
  const whose = sender === 'customer' || sender === 'us' ? t(sender) : named(users, Number(sender))
  return [
    ...(sender ? [{ name: `${t('sender')}: ${whose}`, without: { sender: '' } }] : []),
    ...(kind ? [{ name: `${t('kind')}: ${t(kind)}`, without: { kind: '' as const } }] : []),
    ...(from || to ? [{ name: `${t('period')}: ${periodName(from, to, language)}`, without: { from: undefined, to: undefined } }] : []),
    ...idLists.flatMap((list) =>
      view[list].map((id) => ({
        name: `${t(list)}: ${named(rows[list], id)}`,
        without: { [list]: view[list].filter((one) => one !== id) },
      })),
    ),
  ]
}
