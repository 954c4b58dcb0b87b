import { Button, FormGroup, InputGroup } from '@blueprintjs/core'
import { Cross, Plus } from '@blueprintjs/icons'
import { useController } from 'react-hook-form'
import * as Type from 'typebox'
import { ContactEdit, type ContactRow, contacts } from '#domain/contact/contract.ts'
import { Name } from '#domain/contract.ts'
import { api } from '#web/api.ts'
import { asksNumber } from '#web/contact/number.ts'
import { numberWords } from '#web/contact/words.ts'
import { useWords } from '#web/i18n.ts'
import { useViewer } from '#web/session.ts'
import { contactWords } from '#web/ticket/drawer/words.ts'
import { FormDialog } from '#web/ui/FormDialog.tsx'
import { useLabel } from '#web/ui/fieldLabels.ts'
import { TextField } from '#web/ui/fields.tsx'
import { toast } from '#web/ui/toaster.ts'
import { uiWords } from '#web/ui/words.ts'

type Pair = { name: string; value: string }
/** The form of the drawer takes shorter names than the call (A-VALID-01). */
const InDrawer = Type.Object({ ...ContactEdit.properties, name: Name(50, 2) }, { additionalProperties: false })

type Start = { name: string; number?: string; email?: string; extraInfo?: Pair[] }

/** A new contact, or an edit of the one with this id. */
export function ContactForm({
  id,
  start,
  onSaved,
  onClose,
}: {
  id?: number
  start: Start
  onSaved: (row: ContactRow) => void
  onClose: () => void
}) {
  const say = useWords(contactWords)
  const sayNumber = useWords(numberWords)
  const viewer = useViewer()
  const numbered = id === undefined || !viewer.masked // a number that is hidden is not sent back (A-LGPD-04)
  const { number = '', ...rest } = start
  return (
    <FormDialog
      title={say(id === undefined ? 'create' : 'edit')}
      body={id === undefined ? (contacts.create.body as unknown as typeof ContactEdit) : InDrawer}
      start={{ email: '', extraInfo: [], ...rest, ...(numbered && { number }) }}
      beside={numbered ? { ERR_DUPLICATED_CONTACT: 'number', ERR_WAPP_INVALID_CONTACT: 'number' } : {}}
      {...(numbered && { asks: asksNumber(id === undefined ? undefined : number) })}
      onClose={onClose}
      onSubmit={async (body, change) => {
        const row =
          id === undefined
            ? await api.contacts.create({ body: { ...body, name: body.name ?? '', number: body.number ?? '' } })
            : await api.contacts.update({ params: { id }, body: change })
        if (row.validNumber) toast(say('saved'))
        else toast(say('savedInvalid'), 'warning')
        onSaved(row)
      }}
    >
      <TextField name="name" label={say('name')} autoFocus />
      {numbered && <TextField name="number" label={say('number')} type="tel" hint={sayNumber('hint')} />}
      <TextField name="email" label={say('email')} type="email" optional />
      <ExtraField />
    </FormDialog>
  )
}

function ExtraField() {
  const say = useWords(contactWords)
  const sayUi = useWords(uiWords)
  const { field } = useController({ name: 'extraInfo' })
  useLabel('extraInfo', say('extra'))
  const pairs = field.value as Pair[]
  const change = (at: number, part: Partial<Pair>) =>
    field.onChange(pairs.map((pair, index) => (index === at ? { ...pair, ...part } : pair)))
  return (
    <FormGroup label={say('extra')} labelInfo={`(${sayUi('optional')})`}>
      {pairs.map(({ name, value }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a pair has no other name than its place
        <div className="extra" key={at}>
          <InputGroup
            aria-label={say('extraName')}
            placeholder={say('extraName')}
            value={name}
            onValueChange={(text) => change(at, { name: text })}
          />
          <InputGroup
            aria-label={say('extraValue')}
            placeholder={say('extraValue')}
            value={value}
            onValueChange={(text) => change(at, { value: text })}
          />
          <Button
            variant="minimal"
            icon={<Cross />}
            aria-label={`${sayUi('remove')} ${name}`}
            onClick={() => field.onChange(pairs.filter((_, index) => index !== at))}
          />
        </div>
      ))}
      <Button
        size="small"
        variant="minimal"
        icon={<Plus />}
        text={say('addExtra')}
        onClick={() => field.onChange([...pairs, { name: '', value: '' }])}
      />
    </FormGroup>
  )
}
