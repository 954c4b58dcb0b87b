import { Button, Checkbox } from '@blueprintjs/core'
import { CaretDown } from '@blueprintjs/icons'
import { useState } from 'react'
import { useWords } from '#web/i18n.ts'
import { Dot } from '#web/ui/Dot.tsx'
import { Popover } from '#web/ui/Popover.tsx'
import css from './Report.module.css'
import { reportWords } from './words.ts'

type Choice<V> = { value: V; name: string; color?: string | null }

/** A filter by several values, of which a ticket has one. */
export function ChoiceFilter<V extends string | number>({
  name,
  choices,
  chosen,
  onChoose,
}: {
  name: string
  choices: Choice<V>[]
  chosen: V[]
  onChoose: (values: V[]) => void
}) {
  const t = useWords(reportWords)
  const [open, setOpen] = useState(false)
  return (
    <Popover
      open={open}
      onOpenChange={setOpen}
      placement="bottom-start"
      content={
        <fieldset className={css.choices} aria-label={name}>
          {choices.map(({ value, name: label, color }) => (
            <Checkbox
              key={value}
              checked={chosen.includes(value)}
              onChange={({ currentTarget }) =>
                onChoose(currentTarget.checked ? [...chosen, value] : chosen.filter((other) => other !== value))
              }
              labelElement={
                <>
                  {color && <Dot color={color} />} {label}
                </>
              }
            />
          ))}
        </fieldset>
      }
    >
      <Button
        endIcon={<CaretDown />}
        active={chosen.length > 0}
        text={chosen.length > 0 ? t('withN', { name, n: chosen.length }) : name}
        disabled={choices.length === 0}
      />
    </Popover>
  )
}
