import { Tab, Tabs } from '@blueprintjs/core'
import { type ReactNode, useEffect, useEffectEvent, useId, useState } from 'react'
import { useFormContext, useFormState } from 'react-hook-form'
import { useWords } from '#web/i18n.ts'
import css from './FormTabs.module.css'
import { keepPlace, placeIn } from './opened.ts'
import { uiWords } from './words.ts'

export type FormTab = { id: string; title: string; fields: readonly string[]; children: ReactNode }

const namesIn = (errors: object): string[] =>
  Object.entries(errors).flatMap(([name, error]) =>
    Array.isArray(error) || 'type' in error ? [name] : Object.keys(error).map((inner) => `${name}.${inner}`),
  )

/** A long form by parts. Each says how many of its fields are wrong, and what is not taken leads to the first of them. */
export function FormTabs({ tabs }: { tabs: FormTab[] }) {
  const t = useWords(uiWords)
  const id = useId()
  const { setFocus } = useFormContext()
  const { errors, isSubmitting, submitCount } = useFormState()
  const [at, setAt] = useState(() => tabs.find((tab) => tab.id === (placeIn('open') && placeIn('tab')))?.id ?? tabs[0]!.id)
  const wrongIn = ({ fields }: FormTab) =>
    namesIn(errors).filter((name) => fields.some((field) => name === field || name.startsWith(`${field}.`)))
  const choose = (next: string) => {
    setAt(next)
    if (placeIn('open')) keepPlace({ tab: next })
  }
  const lead = useEffectEvent(() => {
    const wrong = tabs.find((tab) => wrongIn(tab).length > 0)
    if (!wrong || wrongIn(tabs.find((tab) => tab.id === at)!).length > 0) return
    choose(wrong.id)
    requestAnimationFrame(() => setFocus(wrongIn(wrong)[0]!))
  })
  useEffect(() => {
    if (isSubmitting || submitCount === 0) return
    const frame = requestAnimationFrame(() => lead()) // what is wrong has been drawn
    return () => cancelAnimationFrame(frame)
  }, [isSubmitting, submitCount])
  return (
    <Tabs id={id} className={css.tabs ?? ''} selectedTabId={at} onChange={(next) => choose(String(next))}>
      {tabs.map((tab) => {
        const n = wrongIn(tab).length
        return (
          <Tab
            key={tab.id}
            id={tab.id}
            disabled={false} // Blueprint's keys go only to tabs that say that they are not
            panel={<div>{tab.children}</div>}
            title={
              <>
                {tab.title}
                {n > 0 && (
                  <span className={css.wrong} title={t('wrongFields', { n })}>
                    <span aria-hidden>{n}</span>
                    <span className="hidden-but-read"> {t('wrongFields', { n })}</span>
                  </span>
                )}
              </>
            }
          />
        )
      })}
    </Tabs>
  )
}
