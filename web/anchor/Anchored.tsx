import { Copy } from '#web/history/Copy.tsx'
import { useWords } from '#web/i18n.ts'
import { Time } from '#web/ui/Time.tsx'
import css from './Anchored.module.css'
import { anchorWords } from './words.ts'

type Signing = { publicKey: string; fingerprint: string }
type Newest = { number: number; at: string }

/** Up to where a history is anchored, and how much came since. */
export function Anchored({ by, last }: { by: (Newest & { revision: number }) | null; last: number }) {
  const say = useWords(anchorWords)
  if (!by) return <span title={say('anchorMeans')}>{say('notAnchored')}</span>
  return (
    <span title={say('anchorMeans')}>
      {say('anchored', { record: by.revision + 1, number: by.number })} · <Time at={by.at} as="moment" />
      {last > by.revision && ` · ${say('since', { n: last - by.revision })}`}
    </span>
  )
}

/** The newest anchor of the company, where none of its tickets is looked at. */
export function NewestAnchor({ of }: { of: Newest | null }) {
  const say = useWords(anchorWords)
  return (
    <span title={say('anchorMeans')}>
      {of ? say('newestAnchor', { number: of.number }) : say('noAnchor')}
      {of && ' · '}
      {of && <Time at={of.at} as="moment" />}
    </span>
  )
}

/** By what one knows this server again: its key's fingerprint, as `verify` says it, and the key itself for the clipboard. */
export function PublicKey({ of: { publicKey, fingerprint } }: { of: Signing }) {
  const say = useWords(anchorWords)
  return (
    <span className={css.key}>
      {say('publicKey')}
      <Copy text={publicKey} label={say('copyKey')} className={css.copy}>
        <code>{fingerprint.replace(/.{4}(?=.)/g, '$& ')}</code>
      </Copy>
    </span>
  )
}
