import { useAtomValue } from 'jotai'
import * as Type from 'typebox'
import { digits } from '#domain/contact/rules.ts'
import { Text } from '#domain/contract.ts'
import { formattedNumber } from '#web/contact/phone.ts'
import { useWords } from '#web/i18n.ts'
import { FormDialog } from '#web/ui/FormDialog.tsx'
import { Pair, TextField } from '#web/ui/fields.tsx'
import { PersonButton } from '#web/ui/PersonButton.tsx'
import { customersOf, type Holder } from './atoms.ts'
import css from './Choose.module.css'
import { sandboxWords } from './words.ts'

const Fresh = Type.Object({
  name: Text(250, 2),
  number: Type.String({ minLength: 10, maxLength: 30, pattern: '^\\s*\\+?(\\D*\\d){10,20}\\D*$' }),
})
/** A Brazilian number that most likely does not exist. */
const anyNumber = () => `55119${Math.floor(1e7 + Math.random() * 9e7)}`

/** Chooses a known customer or a new one. */
export function Choose({
  connectionId,
  onChoose,
  onClose,
}: {
  connectionId: number
  onChoose: (holder: Holder) => void
  onClose: () => void
}) {
  const t = useWords(sandboxWords)
  const customers = useAtomValue(customersOf(connectionId))
  return (
    <FormDialog
      title={t('choose')}
      body={Fresh}
      start={{ name: '', number: anyNumber() }}
      verb={t('take')}
      onClose={onClose}
      onSubmit={async ({ name, number }) => onChoose({ name: name.trim(), number: digits(number) })}
    >
      {customers.state === 'ready' && customers.value.length > 0 && (
        <section className={css.choose}>
          <h3>{t('known')}</h3>
          <ul>
            {customers.value.map(({ number, name }) => (
              <li key={number}>
                <PersonButton
                  name={name}
                  onClick={() => {
                    onChoose({ number, name })
                    onClose()
                  }}
                >
                  <small className="nums">{formattedNumber(number)}</small>
                </PersonButton>
              </li>
            ))}
          </ul>
        </section>
      )}
      <h3 className={css.fresh}>{t('fresh')}</h3>
      <Pair>
        <TextField name="name" label={t('name')} />
        <TextField name="number" label={t('number')} type="tel" />
      </Pair>
    </FormDialog>
  )
}
