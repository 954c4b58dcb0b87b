import { Copy } from '#web/history/Copy.tsx'
import { useWords } from '#web/i18n.ts'
import { Time } from '#web/ui/Time.tsx'
import css from './Anchored.module.css'
import { anchorWords } from './words.ts'

type Signing = { publicKey: string; fingerprint: string }
type Newest = { number: number; at: string }

/** Shows the last anchored event of a history and the number of later events. */
export function Anchored({ by, last }: { by: (Newest & { revision: number }) | null; last: number }) {
  const t = useWords(anchorWords)
  if (!by) return <span title={t('anchorMeans')}>{t('notAnchored')}</span>
  return (
    <span title={t('anchorMeans')}>
      {t('anchored', { record: by.revision + 1, number: by.number })} · <Time at={by.at} as="moment" />
      {last > by.revision && ` · ${t('since', { n: last - by.revision })}`}
    </span>
  )
}

/** Shows the newest anchor of the company on screens that show no single ticket. */
export function NewestAnchor({ of }: { of: Newest | null }) {
  const t = useWords(anchorWords)
  return (
    <span title={t('anchorMeans')}>
      {of ? t('newestAnchor', { number: of.number }) : t('noAnchor')}
      {of && ' · '}
      {of && <Time at={of.at} as="moment" />}
    </span>
  )
}

/** Identifies this server: the fingerprint of its key as `verify` prints it, and the key for the clipboard. */
export function PublicKey({ of: { publicKey, fingerprint } }: { of: Signing }) {
  const t = useWords(anchorWords)
  return (
    <span className={css.key}>
      {t('publicKey')}
      <Copy text={publicKey} label={t('copyKey')} className={css.copy}>
        <code>{fingerprint.replace(/.{4}(?=.)/g, '$& ')}</code>
      </Copy>
    </span>
  )
}
