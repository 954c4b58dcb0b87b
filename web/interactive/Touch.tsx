import { Button } from '@blueprintjs/core'
import { Duplicate, ListDetailView, Phone, Share } from '@blueprintjs/icons'
import { type Interactive, reais, type Section, type Option as Touched } from '#domain/interactive/rules.ts'
import { useWords } from '#web/i18n.ts'
import { Marked } from '#web/message/bubble/Written.tsx'
import { toast } from '#web/ui/toaster.ts'
import { uiWords } from '#web/ui/words.ts'
import css from './Touch.module.css'
import { interactiveWords } from './words.ts'

/** An interactive message as a phone shows it. With `onChoose` its options can be chosen. */
export function Touch({ of, onChoose }: { of: Interactive; onChoose?: (option: Touched) => void }) {
  return (
    <div className={css.touch} data-part="touch" data-kind={of.kind}>
      <p className={css.title}>
        <Marked text={of.title} />
      </p>
      {of.description !== '' && (
        <p className={css.words}>
          <Marked text={of.description} />
        </p>
      )}
      <Act of={of} {...(onChoose && { onChoose })} />
    </div>
  )
}

/** The buttons of the message. */
export function Act({ of, onChoose }: { of: Interactive; onChoose?: (option: Touched) => void }) {
  const t = useWords(interactiveWords)
  const tUi = useWords(uiWords)
  const copy = (text: string) => void navigator.clipboard.writeText(text).then(() => toast(tUi('copied')))
  switch (of.kind) {
    case 'list':
      return (
        <details className={css.list}>
          <summary className={css.act}>
            <ListDetailView size={14} /> {of.buttonText}
          </summary>
          <Sheet sections={of.sections} label={t('options')} {...(onChoose && { onChoose })} />
        </details>
      )
    case 'url':
      return (
        <a className={css.act} href={of.url} target="_blank" rel="noopener noreferrer" title={of.url}>
          <Share size={14} /> {of.buttonText}
        </a>
      )
    case 'copy':
      return (
        <>
          <code className={css.code}>{of.copies}</code>
          <Button
            variant="minimal"
            className={css.act!}
            icon={<Duplicate size={14} />}
            text={of.buttonText}
            onClick={() => copy(of.copies)}
          />
        </>
      )
    case 'call':
      return (
        <a className={css.act} href={`tel:${of.phone}`} title={of.phone}>
          <Phone size={14} /> {of.buttonText}
        </a>
      )
    case 'pix':
      return (
        <>
          <dl className={css.pix}>
            <dt>Pix</dt>
            <dd>{of.merchant}</dd>
            {of.cents !== null && <dd className={`${css.amount} nums`}>{reais(of.cents)}</dd>}
            <dd>
              {t(of.keyType)}: <span className="nums">{of.key}</span>
            </dd>
          </dl>
          <Button
            variant="minimal"
            className={css.act!}
            icon={<Duplicate size={14} />}
            text={t('copyCode')}
            onClick={() => copy(of.code)}
          />
        </>
      )
  }
}

/** The options that a list opens, by section, to read or to choose from. */
function Sheet({ sections, label, onChoose }: { sections: Section[]; label: string; onChoose?: (option: Touched) => void }) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: options that belong together, not part of a form
    <div className={css.sheet} role="group" aria-label={label}>
      {sections.map(({ title, rows }) => (
        <div key={rows[0]?.id ?? title}>
          {title !== '' && <p className={css.section}>{title}</p>}
          {rows.map((row) => {
            const content = (
              <>
                <span>{row.title}</span>
                {row.description !== '' && <small>{row.description}</small>}
              </>
            )
            return onChoose ? (
              <button
                key={row.id}
                type="button"
                className={css.option}
                onClick={({ currentTarget }) => {
                  currentTarget.closest('details')!.open = false
                  onChoose(row)
                }}
              >
                {content}
              </button>
            ) : (
              <p key={row.id} className={css.option}>
                {content}
              </p>
            )
          })}
        </div>
      ))}
    </div>
  )
}
