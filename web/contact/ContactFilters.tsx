import { useAtomValue } from 'jotai'
import { channelNames, channels, networkName } from '#domain/channel/channels.ts'
import { useWords } from '#web/i18n.ts'
import { tagChoices } from '#web/ticket/choices.ts'
import { FilterBar } from '#web/ui/FilterBar.tsx'
import { HTMLSelect } from '#web/ui/HTMLSelect.tsx'
import { type ContactKind, type ContactTime, type ContactView, contactKinds, contactTimes, everyContact, isFiltered } from './address.ts'
import { contactWords } from './words.ts'

/** One channel of each network, because the channels of a network share their contacts. */
const networks = channelNames.filter(
  (name, at) => channelNames.findIndex((other) => channels[other].network === channels[name].network) === at,
)
const networkIn = (channel: string) =>
  networks.find((name) => channelNames.some((one) => one === channel && channels[one].network === channels[name].network))

/** The filters of the contact list; a choice applies at once. */
export function ContactFilters({ view, onChange }: { view: ContactView; onChange: (to: Partial<ContactView>) => void }) {
  const t = useWords(contactWords)
  const tags = useAtomValue(tagChoices.all)
  const { tagId, kind, channel, last, from, to } = view
  return (
    <FilterBar
      from={from}
      to={to}
      hasDays={last === 'period'}
      onChoose={onChange}
      onClear={isFiltered(view) && (() => onChange(everyContact))}
    >
      <HTMLSelect
        aria-label={t('allTags')}
        value={tagId ?? ''}
        onChange={({ target }) => onChange({ tagId: target.value ? Number(target.value) : null })}
      >
        <option value="">{t('allTags')}</option>
        {tags.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </HTMLSelect>
      <HTMLSelect
        aria-label={t('kind')}
        value={kind}
        onChange={({ target }) => onChange({ kind: target.value as ContactKind })}
        options={contactKinds.map((value) => ({ value, label: t(`kind${value}`) }))}
      />
      <HTMLSelect
        aria-label={t('channel')}
        value={networkIn(channel) ?? ''}
        onChange={({ target }) => onChange({ channel: target.value })}
        options={[{ value: '', label: t('allChannels') }, ...networks.map((value) => ({ value, label: networkName(value) }))]}
      />
      <HTMLSelect
        aria-label={t('lastContact')}
        value={last}
        onChange={({ target }) => onChange({ last: target.value as ContactTime })}
        options={contactTimes.map((value) => ({ value, label: t(`last${value}`) }))}
      />
    </FilterBar>
  )
}
