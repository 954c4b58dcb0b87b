import { useWords } from '#web/i18n.ts'
import { messageWords } from '#web/message/words.ts'
import css from './Marks.module.css'

const paths = {
  clock: 'M8 2.500a5.500 5.500 0 1 0 0 11 5.500 5.500 0 0 0 0-11M8 5v3.200l2 1.300',
  sent: 'M3.500 8.500l3 3 6-7',
  two: 'M1.500 8.500l3 3 6-7M7.500 11l.500.500 6-7',
  trouble: 'M8 2.500a5.500 5.500 0 1 0 0 11 5.500 5.500 0 0 0 0-11M8 5v3.800M8 11v.200',
}
type Of = { ack: number; failed: boolean; uncertain: boolean }
/** R-INBOX-20: clock, sent, delivered, read, played. */
export const markOf = ({ ack, failed, uncertain }: Of) =>
  failed ? 'failed' : uncertain ? 'doubt' : ack >= 5 ? 'played' : ack >= 3 ? 'read' : ack === 2 ? 'delivered' : ack === 1 ? 'sent' : 'clock'
export function Marks({ ack, failed, uncertain }: Of) {
  const t = useWords(messageWords)
  const name = markOf({ ack, failed, uncertain })
  const path = failed || uncertain ? paths.trouble : ack === 0 ? paths.clock : ack === 1 ? paths.sent : paths.two
  return (
    <svg className={css.marks} viewBox="0 0 16 16" width="15" height="15" role="img" aria-label={t(name)} data-mark={name}>
      <title>{t(name)}</title>
      <path d={path} />
    </svg>
  )
}
