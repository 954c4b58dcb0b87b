import { Button } from '@blueprintjs/core'
import { Plus, Trash } from '@blueprintjs/icons'
import { useAtomValue } from 'jotai'
import { useState } from 'react'
import { useFieldArray, useFormContext } from 'react-hook-form'
import { ContactEdit, type ContactRow, contacts } from '#domain/contact/contract.ts'
import { hasPhoneNumbers } from '#domain/contact/rules.ts'
import { type ContactField, fieldNamed, isFieldValue } from '#domain/contact-field/rules.ts'
import { api } from '#web/api.ts'
import { PersonData } from '#web/data-request/PersonData.tsx'
import { countryName, useWords } from '#web/i18n.ts'
import { useViewer } from '#web/session.ts'
import { tagChoices } from '#web/ticket/choices.ts'
import { Chip } from '#web/ui/Chip.tsx'
import { FormDialog } from '#web/ui/FormDialog.tsx'
import { FormTabs } from '#web/ui/FormTabs.tsx'
import { useLabel } from '#web/ui/fieldLabels.ts'
import { AreaField, EntryField, OptionField, Pair, SwitchField, TextField } from '#web/ui/fields.tsx'
import { toast } from '#web/ui/toaster.ts'
import { uiWords } from '#web/ui/words.ts'
import css from './ContactDialog.module.css'
import { extraRows, filledRows } from './extra-rows.ts'
import { extraRules, useContactFields } from './fields.ts'
import { numberRules } from './number.ts'
import { contactWords, numberWords } from './words.ts'

type Given = { name?: string; number?: string }
const start = (contact: ContactRow | null, numbered: boolean, given: Given, fields: ContactField[]) => ({
  name: contact?.name ?? given.name ?? '',
  ...(numbered && { number: contact?.number ?? given.number ?? '' }),
  email: contact?.email ?? '',
  disableBot: contact?.disableBot ?? false,
  acceptAudioMessage: contact?.acceptAudioMessage ?? true,
  extraInfo: extraRows(fields, contact?.extraInfo ?? []),
})

type Of = {
  contact: ContactRow | null
  /** Initial values of a new contact. */
  given?: Given
  /** The body of a form that accepts less than the call. */
  body?: typeof ContactEdit
  onSaved?: (row: ContactRow) => void
  onClose: () => void
}
const reread = async (id: number, numbered: boolean, fields: ContactField[]) => {
  const row = await api.contacts.find({ params: { id } })
  return { ...start(row, numbered, {}, fields), version: row.version }
}

/** Creates or edits a contact, from any screen. */
export function ContactDialog({ contact, given = {}, body = ContactEdit, onSaved, onClose }: Of) {
  const t = useWords(contactWords)
  const tUi = useWords(uiWords)
  const tNumber = useWords(numberWords)
  const viewer = useViewer()
  const fields = useContactFields()
  // a masked number is not sent back (A-LGPD-04)
  const numbered = contact === null || (!viewer.masked && !contact.isGroup && hasPhoneNumbers(contact.channel))
  const [tags, setTags] = useState(() => new Set(contact?.tags.map(({ id }) => id)))
  const [before] = useState(tags)
  return (
    <FormDialog
      title={t(contact ? 'edit' : 'add')}
      body={contact ? body : (contacts.create.body as unknown as typeof body)}
      start={start(contact, numbered, given, fields)}
      edits={contact ? { version: contact.version, reread: () => reread(contact.id, numbered, fields) } : undefined}
      beside={numbered ? { ERR_DUPLICATED_CONTACT: 'number', ERR_WAPP_INVALID_CONTACT: 'number', ERR_WAPP_CHECK_CONTACT: 'number' } : {}}
      rules={{ ...extraRules(fields), ...(numbered && numberRules(contact?.number, viewer.phoneCountry)) }}
      also={tags.symmetricDifference(before).size > 0 ? [t('tags')] : []}
      onClose={onClose}
      onSubmit={async (body, change) => {
        const filled = { ...(change.extraInfo && { extraInfo: filledRows(fields, change.extraInfo) }) }
        const saved = contact
          ? await api.contacts.update({ params: { id: contact.id }, body: { ...change, ...filled } })
          : await api.contacts.create({
              body: { ...body, extraInfo: filledRows(fields, body.extraInfo ?? []), name: body.name ?? '', number: body.number ?? '' },
            })
        const [added, taken] = [[...tags.difference(before)], [...before.difference(tags)]]
        const tagged =
          added.length + taken.length > 0 ? await api.contacts.changeTags({ params: { id: saved.id }, body: { added, taken } }) : saved
        onSaved?.(tagged)
        if (saved.validNumber) toast(tUi('saved'))
        else toast(t('savedInvalid'), 'warning')
      }}
    >
      <FormTabs
        tabs={[
          {
            ...{ id: 'data', title: t('data'), fields: ['name', 'number', 'email', 'disableBot', 'acceptAudioMessage'] },
            children: (
              <>
                <TextField name="name" label={t('name')} autoFocus />
                <Pair>
                  {numbered && (
                    <TextField
                      name="number"
                      type="tel"
                      label={t('number')}
                      hint={tNumber('hint', { country: countryName(viewer.phoneCountry) })}
                    />
                  )}
                  <TextField name="email" type="email" label={t('email')} optional />
                </Pair>
                <TagPicks chosen={tags} onChoose={setTags} />
                <SwitchField name="disableBot" label={t('disableBot')} />
                <SwitchField name="acceptAudioMessage" label={t('acceptAudioMessage')} hint={t('acceptAudioHint')} />
                {contact && <PersonData contact={contact} variant="minimal" onErased={onClose} />}
              </>
            ),
          },
          { id: 'extra', title: t('extra'), fields: ['extraInfo'], children: <Extra /> },
        ]}
      />
    </FormDialog>
  )
}

function TagPicks({ chosen, onChoose }: { chosen: Set<number>; onChoose: (to: Set<number>) => void }) {
  const t = useWords(contactWords)
  const tags = useAtomValue(tagChoices.all)
  if (tags.length === 0) return null
  return (
    <fieldset className="plain">
      <legend className={css.tagPicksLabel}>{t('tags')}</legend>
      <div className={css.tagPicks}>
        {tags.map(({ id, name, color }) => (
          <button
            key={id}
            type="button"
            className={css.tagPick}
            data-part="tag-pick"
            aria-pressed={chosen.has(id)}
            onClick={() => onChoose(chosen.symmetricDifference(new Set([id])))}
          >
            <Chip name={name} color={color} />
          </button>
        ))}
      </div>
    </fieldset>
  )
}

/**
 * A value by the type of its field. A stored value that does not fit the type is shown as text, because an input of
 * that type would lose it. A text with line breaks keeps them in a field of several lines.
 */
function ExtraValue({ at, field }: { at: number; field?: ContactField | undefined }) {
  const t = useWords(contactWords)
  const tUi = useWords(uiWords)
  const { getValues } = useFormContext()
  const name = `extraInfo.${at}.value`
  const [stored] = useState(() => String(getValues(name) ?? ''))
  const isLong = stored.includes('\n')
  const isDate = field?.kind === 'date' && isFieldValue(field, stored)
  const label = field?.name ?? t('extraValue')
  if (field?.kind === 'list')
    return <OptionField name={name} label={label} options={field.options.map((value) => ({ value, label: value }))} />
  if (field?.kind === 'boolean') {
    const options = (['yes', 'no'] as const).map((word) => ({ value: String(word === 'yes'), label: tUi(word) }))
    return <OptionField name={name} label={label} options={options} />
  }
  if (isLong) return <AreaField name={name} label={label} />
  if (isDate) return <EntryField name={name} label={label} type="date" />
  return <TextField name={name} label={label} />
}

function Extra() {
  const t = useWords(contactWords)
  const typed = useContactFields()
  const { fields, append, remove } = useFieldArray<{ extraInfo: { name: string; value: string }[] }>({ name: 'extraInfo' })
  useLabel('extraInfo', t('extra'))
  return (
    <section className={css.extra}>
      {fields.map(({ id, name }, at) =>
        at < typed.length ? (
          <ExtraValue key={id} at={at} field={fieldNamed(typed, name)} />
        ) : (
          <div key={id} className={css.extraRow}>
            <TextField name={`extraInfo.${at}.name`} label={t('extraName')} />
            <ExtraValue at={at} />
            <Button variant="minimal" icon={<Trash />} aria-label={t('removeExtra')} onClick={() => remove(at)} />
          </div>
        ),
      )}
      <Button variant="minimal" icon={<Plus />} text={t('addExtra')} onClick={() => append({ name: '', value: '' })} />
    </section>
  )
}
