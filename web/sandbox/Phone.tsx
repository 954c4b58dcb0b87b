import { Button } from '@blueprintjs/core'
import { Cross } from '@blueprintjs/icons'
import { useAtomValue, useSetAtom } from 'jotai'
import { useEffect, useRef, useState } from 'react'
import { api } from '#web/api.ts'
import { formattedNumber } from '#web/contact/phone.ts'
import { useWords } from '#web/i18n.ts'
import { ignoreErrors } from '#web/ignore-errors.ts'
import { useMe } from '#web/session.ts'
import { Avatar } from '#web/ui/Avatar.tsx'
import { useAsyncAction } from '#web/ui/async-action.ts'
import { type Doing, type Holder, phoneOf, type Tell } from './atoms.ts'
import { SandboxLine } from './Line.tsx'
import { Pad } from './Pad.tsx'
import css from './Phone.module.css'
import { sandboxWords } from './words.ts'

export function Phone({ connectionId, holder, onPutAway }: { connectionId: number; holder: Holder; onPutAway: () => void }) {
  const t = useWords(sandboxWords)
  const { company } = useMe()
  const of = phoneOf({ connectionId, number: holder.number })
  const lines = useAtomValue(of.polledLines)
  const look = useSetAtom(of.look)
  const act = useAsyncAction()
  const [doing, setDoing] = useState<Doing>(null)
  const end = useRef<HTMLDivElement>(null)
  const last = lines?.at(-1)?.id
  // biome-ignore lint/correctness/useExhaustiveDependencies: scrolls to the last message
  useEffect(() => {
    const thread = end.current
    if (thread) thread.scrollTop = thread.scrollHeight
  }, [last, doing])

  const tell: Tell = (what, file, name) =>
    act(async () => {
      const body = { id: crypto.randomUUID(), from: holder.number, name: holder.name, ...what }
      await api.sandbox.inbound(
        { params: { connectionId }, body },
        file ? { files: [{ field: 'medias', file, ...(name && { name }) }] } : {},
      )
      setDoing(null)
      await look()
    })()
  const played = (id: string) =>
    void ignoreErrors(api.sandbox.marks({ params: { connectionId }, body: { id, mark: 'played' } }), 'the mark is only a demonstration')

  return (
    <section className={css.phone} aria-label={holder.name}>
      <header className={css.holder}>
        <Avatar name={holder.name} size={28} />
        <div>
          <strong>{holder.name}</strong>
          <span className="nums">{formattedNumber(holder.number)}</span>
        </div>
        <Button variant="minimal" size="small" icon={<Cross />} aria-label={t('putAway', { name: holder.name })} onClick={onPutAway} />
      </header>
      <div className={css.case}>
        <div className={css.bar}>
          <Avatar name={company.name} size={30} />
          <div>
            <strong>{company.name}</strong>
            <span>{t('company')}</span>
          </div>
        </div>
        <div className={css.thread} role="log" ref={end}>
          {lines?.length === 0 && <p className={css.nothing}>{t('nothing')}</p>}
          {lines?.map((line) => (
            <SandboxLine
              key={line.id}
              line={line}
              quoted={lines.find(({ id }) => id === line.quotedId)}
              tell={tell}
              onStart={setDoing}
              onPlayed={played}
            />
          ))}
        </div>
        <Pad key={doing?.line.id ?? 'new'} doing={doing} tell={tell} busy={act.pending} onStop={() => setDoing(null)} />
      </div>
    </section>
  )
}
