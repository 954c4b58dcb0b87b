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

/** A long form in tabs. Each tab shows its number of errors; a refused submit opens the first error. */
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
    const frame = requestAnimationFrame(() => lead()) // the errors have been rendered
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
            disabled={false} // Blueprint's keys skip tabs without an explicit false
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
