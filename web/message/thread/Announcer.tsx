import { useStore } from 'jotai'
import { useEffect, useRef, useState } from 'react'
import type { MessageRow } from '#domain/message/contract.ts'
import { preview } from '#domain/ticket/rules.ts'
import { useWords } from '#web/i18n.ts'
import type { Collection } from '#web/live.ts'
import { messageWords } from '#web/message/words.ts'

/** Announces new messages of the open ticket to screen readers. */
export function Announcer({ list, last }: { list: Collection<MessageRow>; last: number | null }) {
  const t = useWords(messageWords)
  const store = useStore()
  const [text, setText] = useState('')
  const before = useRef(last)
  useEffect(() => {
    if (last === before.current) return
    const first = before.current === null
    before.current = last
    const row = last === null ? null : (store.get(list.row(last)) as MessageRow | null)
    if (!row || first || row.fromMe) return
    setText(t('announced', { name: row.contact?.name ?? '', text: preview(row.mediaType as 'chat', row.body) }))
  }, [last, list, store, t])
  return (
    <p className="hidden-but-read" role="status" aria-live="polite">
      {text}
    </p>
  )
}
