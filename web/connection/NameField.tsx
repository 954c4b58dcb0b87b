import { Callout } from '@blueprintjs/core'
import { useAtomValue } from 'jotai'
import { useWatch } from 'react-hook-form'
import { useWords } from '#web/i18n.ts'
import { connectionChoices } from '#web/ticket/choices.ts'
import { TextField } from '#web/ui/fields.tsx'
import { sessionWords } from './session-words.ts'
import { connectionFieldWords } from './words.ts'

/**
 * The connection's name, with a warning if another one has it. `id`: the connection's own id, or null for a new
 * one.
 */
export function NameField({ id }: { id: number | null }) {
  const t = useWords(sessionWords)
  const tConnectionField = useWords(connectionFieldWords)
  const known = (text: string) => text.trim().toLowerCase()
  const name = known((useWatch({ name: 'name' }) as string | undefined) ?? '')
  const others = useAtomValue(connectionChoices.all).filter((one) => one.id !== id)
  return (
    <>
      <TextField name="name" label={tConnectionField('name')} autoFocus />
      {name !== '' && others.some((one) => known(one.name) === name) && (
        <Callout compact intent="warning" role="note">
          {t('sameName')}
        </Callout>
      )}
    </>
  )
}
