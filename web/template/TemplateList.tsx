import { Button, InputGroup, Tag } from '@blueprintjs/core'
import { Refresh, Search } from '@blueprintjs/icons'
import { useState } from 'react'
import type { Template } from '#domain/template/contract.ts'
import { sendable } from '#domain/template/rules.ts'
import { searchable } from '#domain/text/rules.ts'
import { useLanguage, useWords } from '#web/i18n.ts'
import { hour } from '#web/ui/moment.ts'
import { Empty } from '#web/ui/states.tsx'
import { failure } from '#web/ui/toaster.ts'
import { keyOf } from './drafts.ts'
import css from './Template.module.css'
import { categoryWords, templateStatusWords, templateWords } from './words.ts'

/** The templates of the account. Sendable ones come first; the others show why they cannot be sent. */
export function TemplateList({
  templates,
  at,
  failed,
  refresh,
  onChoose,
}: {
  templates: Template[]
  at: string
  failed: unknown
  refresh: () => Promise<unknown>
  onChoose: (one: Template) => void
}) {
  const t = useWords(templateWords)
  const tTemplateStatus = useWords(templateStatusWords)
  const tCategory = useWords(categoryWords)
  const language = useLanguage()
  const [search, setSearch] = useState('')
  const [busy, setBusy] = useState(false)
  const sought = searchable(search.trim())
  const found = templates.filter(({ name, body }) => searchable(`${name} ${body}`).includes(sought))
  const handleRetry = () => {
    setBusy(true)
    void refresh().finally(() => setBusy(false))
  }
  return (
    <>
      <div className={css.tools}>
        <InputGroup
          autoFocus
          fill
          type="search"
          leftIcon={<Search />}
          aria-label={t('find')}
          placeholder={t('find')}
          value={search}
          onValueChange={setSearch}
        />
        <Button icon={<Refresh />} aria-label={t('refresh')} title={t('refresh')} loading={busy} onClick={handleRetry} />
      </div>
      <p className={css.at} role="status">
        {failed === null ? t('asOf', { at: hour(at, language) }) : failure(failed)}
      </p>
      {templates.length === 0 && <Empty title={t('none')}>{t('noneHint')}</Empty>}
      {templates.length > 0 && found.length === 0 && <Empty title={t('noneFound', { search })} />}
      <ul className={css.list} data-part="templates">
        {found.map((one) => {
          const usable = sendable(one)
          return (
            <li key={keyOf(one)}>
              <button type="button" disabled={!usable} onClick={() => onChoose(one)}>
                <span className={css.name}>
                  <b>{one.name}</b> <small>{one.language}</small>
                </span>
                <span className={css.tags}>
                  {one.status !== 'approved' && (
                    <Tag minimal intent={one.status === 'pending' ? 'none' : 'warning'}>
                      {tTemplateStatus(one.status)}
                    </Tag>
                  )}
                  <Tag minimal>{tCategory(one.category)}</Tag>
                </span>
                <span className={css.begins} dir="auto">
                  {one.media === 'other' ? t('media') : one.body}
                </span>
              </button>
            </li>
          )
        })}
      </ul>
    </>
  )
}
