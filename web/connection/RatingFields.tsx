import { Callout } from '@blueprintjs/core'
import { useWatch } from 'react-hook-form'
import { on } from '#domain/setting/contract.ts'
import { useWords } from '#web/i18n.ts'
import { CustomerTextOrNullField } from '#web/message/customer-text/CustomerTextField.tsx'
import { useSettings } from '#web/session.ts'
import { NumberOrNullField, Pair } from '#web/ui/fields.tsx'
import { idleHint } from './idle.ts'
import { ratingWords } from './rating-words.ts'
import { connectionFieldWords } from './words.ts'

/**
 * The rating question and how long it waits for an answer (R-CONN-05). `foreign`: another company's setting for
 * ratings is unknown here.
 */
export function RatingFields({ foreign }: { foreign: boolean }) {
  const tConnectionField = useWords(connectionFieldWords)
  const t = useWords(ratingWords)
  const settings = useSettings()
  const text = useWatch({ name: 'ratingMessage' }) as string | null
  const asked = !foreign && on(settings, 'userRating')
  const hint = foreign ? undefined : idleHint('ratingMessage', settings)
  return (
    <>
      <CustomerTextOrNullField name="ratingMessage" label={tConnectionField('ratingMessage')} optional={!asked} {...(hint && { hint })} />
      {asked && (text ?? '').trim() === '' && (
        <Callout compact intent="warning" role="note">
          {t('mute')}
        </Callout>
      )}
      <Pair>
        <NumberOrNullField name="expiresTicketNPS" label={tConnectionField('expiresTicketNPS')} hint={t('waits')} />
        <NumberOrNullField name="maxUseBotQueuesNPS" label={tConnectionField('maxUseBotQueuesNPS')} />
      </Pair>
    </>
  )
}
