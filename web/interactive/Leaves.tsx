import { Undo } from '@blueprintjs/icons'
import type { Leaving } from '#domain/channel/rules.ts'
import { aboutIt, asButtons, asChoices, asText, type Interactive, type Option } from '#domain/interactive/rules.ts'
import { Marked } from '#web/message/bubble/Written.tsx'
import css from './Touch.module.css'
import { Act, Touch } from './Touch.tsx'

/** An interactive message as the ticket's channel sends it. */
export function Leaves({ of, as }: { of: Interactive; as: Leaving }) {
  if (as === 'touch') return <Touch of={of} />
  return (
    <div className={css.touch} data-part="leaves" data-as={as}>
      <p className={css.words}>
        <Marked text={as === 'buttons' ? aboutIt(of) : asText(of)} />
      </p>
      {as === 'both' && <Act of={of} />}
      {as === 'buttons' && of.kind === 'list' && <Buttons of={asButtons(of) ?? []} />}
      {as === 'choices' && (
        <p className={css.choices}>
          {asChoices(of)?.map(({ id, title }) => (
            <span key={id}>{title || '…'}</span>
          ))}
        </p>
      )}
    </div>
  )
}

const Buttons = ({ of }: { of: Option[] }) =>
  of.map(({ id, title }) => (
    <p key={id} className={css.act}>
      <Undo size={14} /> {title || '…'}
    </p>
  ))
