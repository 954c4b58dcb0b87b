import { Menu, MenuDivider, MenuItem } from '@blueprintjs/core'
import { ArrowLeft, Flash, Paperclip } from '@blueprintjs/icons'
import { useAtomValue } from 'jotai'
import { useEffect, useEffectEvent, useState } from 'react'
import { seesReply } from '#domain/quick-reply/contract.ts'
import { searchable } from '#domain/text/rules.ts'
import type { TextName } from '#domain/ticket/rules.ts'
import { useWords } from '#web/i18n.ts'
import { allReplies } from '#web/quick-reply/replies.ts'
import { useViewer } from '#web/session.ts'
import css from './CustomerText.module.css'
import { customerTextWords } from './words.ts'

type Of = { onInsert: (text: string) => void; onGone: () => void }

/** Insertable parts: names that are replaced when sending, and texts of quick replies. */
export function Inserts({ names, ...of }: Of & { names: readonly TextName[] }) {
  const t = useWords(customerTextWords)
  const [replies, setReplies] = useState(false)
  /* The field takes the focus after the menu is gone, because an open menu takes it back. */
  const gone = useEffectEvent(of.onGone)
  useEffect(() => () => gone(), [])
  if (replies) return <Replies onInsert={of.onInsert} onBack={() => setReplies(false)} />
  return (
    <Menu>
      {names.map((name) => (
        <MenuItem key={name} text={t(name)} label={`{${name}}`} onClick={() => of.onInsert(`{${name}}`)} />
      ))}
      <MenuDivider />
      <MenuItem icon={<Flash />} text={t('quickReply')} shouldDismissPopover={false} onClick={() => setReplies(true)} />
    </Menu>
  )
}

function Replies({ onInsert, onBack }: { onInsert: (text: string) => void; onBack: () => void }) {
  const t = useWords(customerTextWords)
  const viewer = useViewer()
  const rows = useAtomValue(allReplies.all)
  const state = useAtomValue(allReplies.state)
  const [search, setSearch] = useState('')
  const sought = searchable(search)
  const seen = rows.filter((row) => seesReply(viewer, row))
  const found = seen.filter(({ shortcode, message }) => searchable(`${shortcode} ${message}`).includes(sought))
  return (
    <div className={css.replies}>
      <input
        // biome-ignore lint/a11y/noAutofocus: the previous menu had the focus
        autoFocus
        type="search"
        className="bp6-input bp6-fill"
        aria-label={t('findReply')}
        placeholder={t('findReply')}
        value={search}
        onChange={({ target }) => setSearch(target.value)}
      />
      <Menu>
        {found.map((row) => (
          <MenuItem
            key={row.id}
            text={
              <>
                <b>/{row.shortcode}</b> <span className={css.reply}>{row.message}</span>
              </>
            }
            {...(row.mediaName && { labelElement: <Paperclip size={12} title={t('withoutFile')} /> })}
            onClick={() => onInsert(row.message)}
          />
        ))}
        {found.length === 0 && <p className={css.none}>{t(state === 'loading' ? 'loading' : state === 'failed' ? 'failed' : 'noReply')}</p>}
        <MenuDivider />
        <MenuItem icon={<ArrowLeft />} text={t('toNames')} shouldDismissPopover={false} onClick={onBack} />
      </Menu>
    </div>
  )
}
