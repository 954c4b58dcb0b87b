import { Button, Spinner } from '@blueprintjs/core'
import { Shield, WarningSign } from '@blueprintjs/icons'
import { useAtomValue, useSetAtom } from 'jotai'
import { Anchored, PublicKey } from '#web/anchor/Anchored.tsx'
import { useWords } from '#web/i18n.ts'
import type { HistoryReplay } from './atoms.ts'
import css from './Chain.module.css'
import { upTo } from './playback.ts'
import type { Files, LoadedHistory } from './records.ts'
import { broken } from './tell.ts'
import { historyWords } from './words.ts'

/** Shows whether the chain is proven, and the first altered record. */
export function Chain({
  of,
  ticketHistory: { chain, events, anchored, key, length, files },
}: {
  of: HistoryReplay
  ticketHistory: LoadedHistory
}) {
  const t = useWords(historyWords)
  const seek = useSetAtom(of.seek)
  if (chain === null) return null
  if (chain.holds && files && files.bad.length > 0) return <OtherFiles of={of} ticketHistory={{ events, files }} />
  if (chain.holds)
    return (
      <p className={css.chain} data-part="replay-chain">
        <Shield size={14} />{' '}
        <span>
          {t('holds', { n: length })} <span className={css.names}>{t('namesNow')}</span>
        </span>
        <span className={css.state} data-part="anchor-state">
          <Anchored by={anchored} last={events.at(-1)?.revision ?? 0} />
          {files !== null && files.files > 0 && <span>{t('filesWhole', { n: files.files })}</span>}
          <PublicKey of={key} />
        </span>
      </p>
    )
  const at = chain.brokenAt ?? 0
  const why = chain.reason && t(`reason_${chain.reason}`, { record: at + 1 })
  return (
    <p className={`${css.chain} ${css.broken}`} data-part="replay-chain" role="alert">
      <WarningSign size={14} />
      <span>
        <strong>{t(broken(chain) ? 'brokenAt' : 'faultAt', { record: at + 1 })}</strong> {why}
      </span>
      {events.length > 0 && <Button size="small" text={t('toBreak')} onClick={() => seek(upTo(events, at))} />}
    </p>
  )
}

/** The files that are missing or differ from the sent ones. */
function OtherFiles({
  of,
  ticketHistory: { events, files },
}: {
  of: HistoryReplay
  ticketHistory: Pick<LoadedHistory, 'events'> & { files: Files }
}) {
  const t = useWords(historyWords)
  const seek = useSetAtom(of.seek)
  return (
    <div className={`${css.chain} ${css.broken}`} data-part="replay-chain" role="alert">
      <WarningSign size={14} />
      <span>
        <strong>{t('otherFiles')}</strong>
        {files.bad.map(({ key, name, revision, gone }) => (
          <span key={key} className={css.file}>
            {t(gone ? 'fileGone' : 'fileOther', { name, record: revision + 1 })}{' '}
            <Button size="small" text={t('toBreak')} onClick={() => seek(upTo(events, revision))} />
          </span>
        ))}
      </span>
    </div>
  )
}

/** Progress of loading a long history and verifying its chain, and what could not be checked. */
export function Coming({
  of,
  ticketHistory: { next, events, revision, chain, walkFailed, filesFailed },
}: {
  of: HistoryReplay
  ticketHistory: LoadedHistory
}) {
  const t = useWords(historyWords)
  const stopped = useAtomValue(of.stopped)
  const follow = useSetAtom(of.follow)
  const walkAgain = useSetAtom(of.walkAgain)
  const lookAgain = useSetAtom(of.lookAgain)
  if (next === null && chain !== null && !filesFailed) return null
  const failed = stopped !== null || walkFailed || filesFailed
  const handleRetry = () => {
    if (stopped !== null) void follow(revision)
    if (walkFailed) void walkAgain()
    if (filesFailed) void lookAgain()
  }
  return (
    <p className={`${css.chain} ${css.coming}`} role="status">
      {failed ? <WarningSign size={14} /> : <Spinner size={14} />}
      {next !== null && <span className="nums">{t('reading', { n: events.length, all: revision + 1 })}</span>}
      {chain === null && <span>{t(walkFailed ? 'unwalked' : 'walking')}</span>}
      {stopped !== null && <span>{t('stopped')}</span>}
      {filesFailed && <span>{t('unlooked')}</span>}
      {failed && <Button size="small" text={t('again')} onClick={handleRetry} />}
    </p>
  )
}

/** Alarm for a record that does not replay. The records after it may be incomplete. */
export function Stuck({ of }: { of: HistoryReplay }) {
  const events = useAtomValue(of.events)
  const t = useWords(historyWords)
  const { stuckAt } = useAtomValue(of.scene)
  const seek = useSetAtom(of.seek)
  if (stuckAt === null) return null
  return (
    <p className={`${css.chain} ${css.broken} ${css.stuck}`} data-part="replay-chain" role="alert">
      <WarningSign size={14} /> <strong>{t('stuck', { record: stuckAt + 1 })}</strong>
      <Button size="small" text={t('toBreak')} onClick={() => seek(upTo(events, stuckAt))} />
    </p>
  )
}
