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

/** What the account has, what can be sent first; the rest says why it cannot. */
export function TemplateList({
  templates,
  at,
  failed,
  refresh,
  choose,
}: {
  templates: Template[]
  at: string
  failed: unknown
  refresh: () => Promise<unknown>
  choose: (one: Template) => void
}) {
  const say = useWords(templateWords)
  const sayStatus = useWords(templateStatusWords)
  const sayCategory = useWords(categoryWords)
  const language = useLanguage()
  const [search, seek] = useState('')
  const [busy, work] = useState(false)
  const sought = searchable(search.trim())
  const found = templates.filter(({ name, body }) => searchable(`${name} ${body}`).includes(sought))
  const again = () => {
    work(true)
    void refresh().finally(() => work(false))
  }
  return (
    <>
      <div className={css.tools}>
        <InputGroup
          autoFocus
          fill
          type="search"
          leftIcon={<Search />}
          aria-label={say('find')}
          placeholder={say('find')}
          value={search}
          onValueChange={seek}
        />
        <Button icon={<Refresh />} aria-label={say('refresh')} title={say('refresh')} loading={busy} onClick={again} />
      </div>
      <p className={css.at} role="status">
        {failed === null ? say('asOf', { at: hour(at, language) }) : failure(failed)}
      </p>
      {templates.length === 0 && <Empty title={say('none')}>{say('noneHint')}</Empty>}
      {templates.length > 0 && found.length === 0 && <Empty title={say('noneFound', { search })} />}
      <ul className={css.list} data-part="templates">
        {found.map((one) => {
          const usable = sendable(one)
          return (
            <li key={keyOf(one)}>
              <button type="button" disabled={!usable} onClick={() => choose(one)}>
                <span className={css.name}>
                  <b>{one.name}</b> <small>{one.language}</small>
                </span>
                <span className={css.tags}>
                  {one.status !== 'approved' && (
                    <Tag minimal intent={one.status === 'pending' ? 'none' : 'warning'}>
                      {sayStatus(one.status)}
                    </Tag>
                  )}
                  <Tag minimal>{sayCategory(one.category)}</Tag>
                </span>
                <span className={css.begins} dir="auto">
                  {one.media === 'other' ? say('media') : one.body}
                </span>
              </button>
            </li>
          )
        })}
      </ul>
    </>
  )
}
