import { Button, DialogBody, DialogFooter, Radio, RadioGroup } from '@blueprintjs/core'
import { ArrowRight, Exchange } from '@blueprintjs/icons'
import { useAtomValue } from 'jotai'
import { type ReactNode, useState } from 'react'
import type { ContactRow } from '#domain/contact/contract.ts'
import { conflictingFields, type MergeChoice } from '#domain/contact/rules.ts'
import { api } from '#web/api.ts'
import { useWords } from '#web/i18n.ts'
import { ContactPicker } from '#web/ticket/dialogs/ContactPicker.tsx'
import { Avatar } from '#web/ui/Avatar.tsx'
import { useAsyncAction } from '#web/ui/async-action.ts'
import { Chip } from '#web/ui/Chip.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { PersonButton } from '#web/ui/PersonButton.tsx'
import { toast, toastUndo } from '#web/ui/toaster.ts'
import { uiWords } from '#web/ui/words.ts'
import css from './MergeDialog.module.css'
import { formattedNumber } from './phone.ts'
import { similarTo } from './profile.ts'
import { profileWords } from './profile-words.ts'
import { contactWords } from './words.ts'

type Of = {
  contact: ContactRow
  /** The other contact, if it is chosen already. */
  other?: ContactRow | null
  /** The contact that both are shown as now. */
  onMerged?: (target: ContactRow) => void
  onClose: () => void
}

/** Chooses the other contact, shows both with the direction, and merges them (A-MERGE-01). */
export function MergeDialog({ contact, other: given = null, onMerged, onClose }: Of) {
  const t = useWords(profileWords)
  const tUi = useWords(uiWords)
  const [other, setOther] = useState(given)
  const [isTurned, setIsTurned] = useState(false)
  const [kept, setKept] = useState<Kept>({})
  const act = useAsyncAction()
  const [source, target] = isTurned ? [contact, other] : [other, contact]
  const merge = act(async () => {
    if (!source || !target) return
    const fields = choicesOf(source, target, kept)
    const row = await api.contacts.merge({
      params: { id: source.id },
      body: { targetId: target.id, ...(fields.length > 0 && { fields }) },
    })
    onMerged?.(row)
    toastUndo(t('merged', { source: source.name, target: target.name }), t('undo'), async () => {
      await api.contacts.separate({ params: { id: source.id } })
      toast(t('separated', { name: source.name }))
    })
    onClose()
  })
  const chooseOther = (next: ContactRow | null) => {
    setOther(next)
    setKept({})
  }
  return (
    <Dialog isOpen title={t('title')} onClose={onClose}>
      <DialogBody>
        {source && target ? (
          <Both source={source} target={target}>
            <Fields {...{ source, target, kept }} onChoose={(name, id) => setKept((now) => ({ ...now, [name]: id }))} />
          </Both>
        ) : (
          <Choice contact={contact} onChoose={chooseOther} />
        )}
      </DialogBody>
      <DialogFooter
        actions={
          <>
            <Button text={tUi('cancel')} onClick={onClose} />
            {source && target && (
              <Button autoFocus intent="primary" loading={act.pending} onClick={() => void merge()}>
                {t('verb', { source: source.name, target: target.name })}
              </Button>
            )}
          </>
        }
      >
        {source && target && (
          <>
            <Button variant="minimal" icon={<Exchange />} text={t('turn')} onClick={() => setIsTurned(!isTurned)} />
            <Button variant="minimal" text={t('other')} onClick={() => chooseOther(null)} />
          </>
        )}
      </DialogFooter>
    </Dialog>
  )
}

function Choice({ contact, onChoose }: { contact: ContactRow; onChoose: (other: ContactRow) => void }) {
  const t = useWords(profileWords)
  const proposed = useAtomValue(similarTo(contact.id))
  const choose = (row: ContactRow) => row.id !== contact.id && !row.isGroup && onChoose(row)
  return (
    <>
      <p className={css.lead}>{t('choose', { name: contact.name })}</p>
      <ContactPicker
        isForMessages={false}
        onChoose={choose}
        none={(text) => <p className={css.lead}>{t('noneFound', { text })}</p>}
        before={
          proposed.state === 'ready' &&
          proposed.value.length > 0 && (
            <div data-part="merge-proposals">
              <p className={css.lead}>{t('similar')}</p>
              {proposed.value.map(({ contact: row, why }) => (
                <PersonButton key={row.id} name={row.name} picture={row.urlPicture} onClick={() => choose(row)}>
                  {formattedNumber(row.number)} · {why.map((one) => t(`why${one}`)).join(', ')}
                </PersonButton>
              ))}
            </div>
          )
        }
      />
    </>
  )
}

/** The fields in which both have another value. */
const differingFields = (source: ContactRow, target: ContactRow) =>
  (['name', 'email', 'active'] as const).filter((field) => source[field] !== target[field] && source[field] !== '' && target[field] !== '')

/** The contact whose values of an extra field stay, by the field's name; absent: those of both. It is the same when the direction is turned. */
type Kept = Record<string, number | null>
function choicesOf(source: ContactRow, target: ContactRow, kept: Kept): MergeChoice[] {
  const keep = (name: string) => (kept[name] === source.id ? 'source' : kept[name] === target.id ? 'target' : 'both')
  return conflictingFields(target, source).map((name) => ({ name, keep: keep(name) }))
}

const bothKey = 'both'
/** Asks for each extra field with different values which of them stay (A-MERGE-02). */
function Fields({
  source,
  target,
  kept,
  onChoose,
}: {
  source: ContactRow
  target: ContactRow
  kept: Kept
  onChoose: (name: string, id: number | null) => void
}) {
  const t = useWords(profileWords)
  const valuesOf = ({ extraInfo }: ContactRow, name: string) =>
    extraInfo
      .filter((one) => one.name === name)
      .map(({ value }) => value)
      .join(', ')
  return conflictingFields(target, source).map((name) => (
    <div key={name} className={css.field} data-part="merge-field">
      <RadioGroup
        label={t('whichStays', { field: name })}
        selectedValue={String(kept[name] ?? bothKey)}
        onChange={({ currentTarget: { value } }) => onChoose(name, value === bothKey ? null : Number(value))}
      >
        <Radio value={bothKey} label={t('keepBoth')} />
        {[target, source].map((one) => (
          <Radio key={one.id} value={String(one.id)} label={t('valueOf', { value: valuesOf(one, name), name: one.name })} />
        ))}
      </RadioGroup>
    </div>
  ))
}

function Both({ source, target, children }: { source: ContactRow; target: ContactRow; children: ReactNode }) {
  const t = useWords(profileWords)
  const tContact = useWords(contactWords)
  const names = { source: source.name, target: target.name }
  const differ = differingFields(source, target)
  const label = (field: (typeof differ)[number]) => tContact(field === 'active' ? 'blocked' : field)
  return (
    <>
      <div className={css.both}>
        <section className={css.side} data-part="merge-source" aria-label={t('goes')}>
          <Side contact={source} role={t('goes')} />
        </section>
        <span className={css.arrow}>
          <ArrowRight title={false} />
        </span>
        <section className={css.side} data-part="merge-target" aria-label={t('stays')}>
          <Side contact={target} role={t('stays')} />
        </section>
      </div>
      <p className={css.lead}>{t('means', names)}</p>
      {differ.length > 0 && (
        <p className={css.note} data-part="merge-conflicts">
          {t('conflict', { ...names, fields: differ.map(label).join(', ') })}
        </p>
      )}
      {children}
    </>
  )
}

function Side({ contact, role }: { contact: ContactRow; role: string }) {
  const t = useWords(contactWords)
  return (
    <>
      <p className={css.role}>{role}</p>
      <Avatar name={contact.name} picture={contact.urlPicture} size={40} />
      <p className={css.name}>{contact.name}</p>
      <p className="nums">{formattedNumber(contact.number)}</p>
      {contact.email !== '' && <p>{contact.email}</p>}
      {!contact.active && <p>{t('blocked')}</p>}
      <p className={css.chips}>
        {contact.tags.map(({ id, name, color }) => (
          <Chip key={id} name={name} color={color} />
        ))}
      </p>
      {contact.extraInfo.map(({ id, name, value }) => (
        <p key={id}>
          {name}: {value}
        </p>
      ))}
    </>
  )
}
