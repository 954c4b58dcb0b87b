import { Cog } from '@blueprintjs/icons'
import { useAtom, useAtomValue, useSetAtom } from 'jotai'
import { useEffect, useEffectEvent } from 'react'
import { type Setting, type SettingKey, settings } from '#domain/setting/contract.ts'
import { searchable } from '#domain/text/rules.ts'
import { CompanyHours } from '#web/hours/CompanyHours.tsx'
import { useWords } from '#web/i18n.ts'
import { NoPublicUrl } from '#web/installation/NoPublicUrl.tsx'
import { TestMail } from '#web/mail/TestMail.tsx'
import { useViewer } from '#web/session.ts'
import { useFormRecovery, useRecoveredForm } from '#web/ui/form-recovery.ts'
import { Head } from '#web/ui/Head.tsx'
import { Empty, ErrorView, Skeleton } from '#web/ui/states.tsx'
import { uiWords } from '#web/ui/words.ts'
import { type Drafts, draftsAtom, forgetDraftsAtom, search, storedAtom, wantedAtom } from './atoms.ts'
import { groups } from './groups.ts'
import { hintWords } from './hint-words.ts'
import { Option } from './Option.tsx'
import css from './Settings.module.css'
import { optionWords, settingWords } from './words.ts'

/** The company's own settings, and those of the platform for its operator. */
export function Settings() {
  const t = useWords(settingWords)
  const tUi = useWords(uiWords)
  const [text, setText] = useAtom(search.text)
  const wanted = useAtomValue(search.settled)
  const stored = useAtomValue(storedAtom)
  const reload = useSetAtom(storedAtom.reload)
  const [drafts, setDrafts] = useAtom(draftsAtom)
  const switching = useAtomValue(wantedAtom)
  const forget = useSetAtom(forgetDraftsAtom)
  useEffect(() => forget, [forget]) // the user has confirmed leaving the drafts
  const { place, half } = useRecoveredForm<Drafts>('drafts')
  useFormRecovery(place, () => (Object.keys(drafts).length > 0 ? withoutSecrets(drafts) : null))
  const takeUp = useEffectEvent(() => half && setDrafts(half))
  useEffect(() => void takeUp(), [])
  const viewer = useViewer()
  const reads = useReads()
  const visibleGroups = groups
    .map(({ name, keys }) => ({
      name,
      keys: keys.filter((key) => settings[key].write(viewer) === null && (reads(key, wanted) || key in drafts || key in switching)),
    }))
    .filter(({ keys }) => keys.length > 0)
  return (
    <>
      <Head title={t('title')} lead={t('options')} search={text} onSearch={setText} />
      {stored.state === 'failed' && <ErrorView error={stored.error} onRetry={() => void reload()} />}
      {stored.state === 'loading' && <Skeleton rows={8} height={56} />}
      {stored.state === 'ready' && visibleGroups.length === 0 && (
        <Empty icon={<Cog size={20} />} title={tUi('noneFound', { search: wanted })} />
      )}
      {stored.state === 'ready' && (
        <div className={css.groups}>
          {visibleGroups.map(({ name, keys }) => (
            <section key={name} className={css.group} aria-labelledby={`settings-${name}`}>
              <h2 id={`settings-${name}`}>{t(name)}</h2>
              <ul>
                {keys.map((key) => (
                  <Option key={key} of={key} searching={wanted !== ''} />
                ))}
              </ul>
              {keys.includes('mailHost') && (
                <>
                  <NoPublicUrl />
                  <TestMail />
                </>
              )}
            </section>
          ))}
          {wanted === '' && <CompanyHours />}
        </div>
      )}
    </>
  )
}

const withoutSecrets = (drafts: Drafts): Drafts =>
  Object.fromEntries(Object.entries(drafts).filter(([key]) => !(settings[key as SettingKey] as Setting).secret))

/** Matches an option by its name, its hint or its published key. */
function useReads(): (key: SettingKey, wanted: string) => boolean {
  const tOption = useWords(optionWords)
  const tHint = useWords(hintWords)
  return (key, wanted) => {
    const named = key in optionWords ? tOption(key as keyof typeof optionWords) : ''
    const hintText = key in hintWords ? tHint(key as keyof typeof hintWords) : ''
    return searchable(`${named} ${hintText} ${key}`).includes(searchable(wanted.trim()))
  }
}
