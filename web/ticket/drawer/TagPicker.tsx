import { Button, InputGroup } from '@blueprintjs/core'
import { Plus, SmallCross } from '@blueprintjs/icons'
import { useAtom, useAtomValue, useSetAtom } from 'jotai'
import { useEffect, useState } from 'react'
import type { ContactRow } from '#domain/contact/contract.ts'
import { searchable } from '#domain/text/rules.ts'
import { api } from '#web/api.ts'
import { useWords } from '#web/i18n.ts'
import { tagAskedAtom } from '#web/ticket/atoms.ts'
import { tagChoices } from '#web/ticket/choices.ts'
import { contactWords } from '#web/ticket/drawer/words.ts'
import { Drop } from '#web/ticket/list/Drop.tsx'
import { useAsyncAction } from '#web/ui/async-action.ts'
import { Chip } from '#web/ui/Chip.tsx'
import { anyColour } from '#web/ui/colour.ts'
import { Dot } from '#web/ui/Dot.tsx'
import { contactOf } from './contacts.ts'
import { matchingTags } from './matching-tags.ts'
import css from './TagPicker.module.css'

const least = 3
/** The contact's tags: chosen, created and removed in place; each change is saved at once. */
export function TagPicker({ contact }: { contact: ContactRow }) {
  const t = useWords(contactWords)
  const act = useAsyncAction()
  const apply = useSetAtom(contactOf(contact.id).apply)
  const change = (added: number[], taken: number[]) =>
    act(async () => apply([{ op: 'put', row: await api.contacts.changeTags({ params: { id: contact.id }, body: { added, taken } }) }]))
  const [asked, setAsked] = useAtom(tagAskedAtom)
  const wanted = asked === contact.id
  const [was, setWas] = useState(false)
  const [turn, setTurn] = useState(0)
  if (wanted !== was) {
    setWas(wanted)
    if (wanted) setTurn(turn + 1)
  }
  useEffect(() => {
    if (wanted) setAsked(null)
  }, [wanted, setAsked])
  const ids = contact.tags.map(({ id }) => id)
  return (
    <div className={css.tags}>
      {contact.tags.length === 0 && <span className={css.none}>{t('noTags')}</span>}
      {contact.tags.map(({ id, name, color }) => (
        <span key={id} className={css.one}>
          <Chip name={name} color={color} />
          <button
            type="button"
            aria-label={t('removeTag', { name })}
            title={t('removeTag', { name })}
            disabled={act.pending}
            onClick={() => void change([], [id])()}
          >
            <SmallCross size={14} />
          </button>
        </span>
      ))}
      <Drop key={turn} opened={turn > 0} placement="bottom-start" content={() => <Add chosen={ids} onAdd={(id) => change([id], [])()} />}>
        <Button size="small" variant="minimal" icon={<Plus />} aria-label={t('addTag')} title={t('addTag')} />
      </Drop>
    </div>
  )
}

function Add({ chosen, onAdd }: { chosen: number[]; onAdd: (id: number) => Promise<boolean> }) {
  const t = useWords(contactWords)
  const act = useAsyncAction()
  const rows = useAtomValue(tagChoices.all)
  const [text, setText] = useState('')
  const sought = searchable(text.trim())
  const found = matchingTags(rows, chosen, text)
  const known = rows.some(({ name }) => searchable(name) === sought)
  const add = async (id: number) => {
    if (await onAdd(id)) setText('')
  }
  const make = act(async () => {
    const made = await api.tags.create({
      body: {
        name: text.trim(),
        color: anyColour(),
        kanban: 0,
        timeLane: null,
        nextLaneId: null,
        rollbackLaneId: null,
        greetingMessageLane: null,
      },
    })
    await onAdd(made.id)
    setText('')
  })
  const enter = () => {
    if (found[0] && (known || sought.length < least)) void add(found[0].id)
    else if (sought.length >= least && !known) void make()
  }
  return (
    <div className={css.tagAdd}>
      <InputGroup
        autoFocus
        value={text}
        onValueChange={setText}
        placeholder={t('addTag')}
        aria-label={t('addTag')}
        onKeyDown={({ key }) => key === 'Enter' && enter()}
      />
      <ul>
        {found.map(({ id, name, color }) => (
          <li key={id}>
            <button type="button" onClick={() => void add(id)}>
              <Dot color={color} /> {name}
            </button>
          </li>
        ))}
        {sought !== '' && !known && (sought.length >= least || found.length === 0) && (
          <li>
            <button type="button" disabled={sought.length < least || act.pending} onClick={() => void make()}>
              {sought.length < least ? t('shortTag') : t('createTag', { name: text.trim() })}
            </button>
          </li>
        )}
      </ul>
    </div>
  )
}
