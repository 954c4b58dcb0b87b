import { Button } from '@blueprintjs/core'
import { CaretDown } from '@blueprintjs/icons'
import { useAtomValue, useSetAtom } from 'jotai'
import { useContext } from 'react'
import { filled, type TextName } from '#domain/ticket/rules.ts'
import { useWords } from '#web/i18n.ts'
import { Marked } from '#web/message/bubble/Written.tsx'
import { queueChoices } from '#web/ticket/choices.ts'
import { ContactPicker } from '#web/ticket/dialogs/ContactPicker.tsx'
import { Drop } from '#web/ticket/list/Drop.tsx'
import css from './CustomerText.module.css'
import { chosenAtom, namesOf, QueueWritten, readerAtom } from './reader.ts'
import { customerTextWords } from './words.ts'

/** A text as the chosen contact would read it. */
export function Preview({ text, names }: { text: string; names: readonly TextName[] }) {
  const t = useWords(customerTextWords)
  const reader = useAtomValue(readerAtom)
  const setChosen = useSetAtom(chosenAtom)
  const written = useContext(QueueWritten)
  const [queue] = useAtomValue(queueChoices.all)
  if (!reader) return null
  const values = { ...namesOf(reader, written ?? queue?.name ?? ''), position: '3' }
  return (
    <div className={css.preview} data-part="text-preview">
      <Drop
        placement="bottom-start"
        content={(close) => (
          <div className={css.picker}>
            <ContactPicker
              onChoose={(contact) => {
                setChosen(contact)
                close()
              }}
            />
          </div>
        )}
      >
        <Button
          size="small"
          variant="minimal"
          endIcon={<CaretDown />}
          text={t('previewWith', { name: reader.name })}
          title={t('another')}
          className={css.reader!}
        />
      </Drop>
      <p dir="auto">
        <Marked text={filled(text, Object.fromEntries(names.map((one) => [one, values[one]])))} />
      </p>
    </div>
  )
}
