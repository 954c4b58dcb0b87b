import { Button, Spinner } from '@blueprintjs/core'
import { Shield, WarningSign } from '@blueprintjs/icons'
import { useAtomValue, useSetAtom } from 'jotai'
import { Anchored, PublicKey } from '#web/anchor/Anchored.tsx'
import { useWords } from '#web/i18n.ts'
import { type Recorder, upTo } from './atoms.ts'
import css from './Chain.module.css'
import type { Files, LoadedHistory } from './records.ts'
import { broken } from './tell.ts'
import { historyWords } from './words.ts'

/** Whether what follows is proven, and the first record that is not as it was written. */
export function Chain({
  of,
  ticketHistory: { chain, events, anchored, key, length, files },
}: {
  of: Recorder
  ticketHistory: LoadedHistory
}) {
  const say = useWords(historyWords)
  const seek = useSetAtom(of.seek)
  if (chain === null) return null
  if (chain.holds && files && files.bad.length > 0) return <OtherFiles of={of} ticketHistory={{ events, files }} />
  if (chain.holds)
    return (
      <p className={css.chain} data-part="replay-chain">
        <Shield size={14} />{' '}
        <span>
          {say('holds', { n: length })} <span className={css.names}>{say('namesNow')}</span>
        </span>
        <span className={css.state} data-part="anchor-state">
          <Anchored by={anchored} last={events.at(-1)?.revision ?? 0} />
          {files !== null && files.files > 0 && <span>{say('filesWhole', { n: files.files })}</span>}
          <PublicKey of={key} />
        </span>
      </p>
    )
  const at = chain.brokenAt ?? 0
  const why = chain.reason && say(`reason_${chain.reason}`, { record: at + 1 })
  return (
    <p className={`${css.chain} ${css.broken}`} data-part="replay-chain" role="alert">
      <WarningSign size={14} />
      <span>
        <strong>{say(broken(chain) ? 'brokenAt' : 'faultAt', { record: at + 1 })}</strong> {why}
      </span>
      {events.length > 0 && <Button size="small" text={say('toBreak')} onClick={() => seek(upTo(events, at))} />}
    </p>
  )
}

/** Which files are not those that were sent, or are not there. */
function OtherFiles({
  of,
  ticketHistory: { events, files },
}: {
  of: Recorder
  ticketHistory: Pick<LoadedHistory, 'events'> & { files: Files }
}) {
  const say = useWords(historyWords)
  const seek = useSetAtom(of.seek)
  return (
    <div className={`${css.chain} ${css.broken}`} data-part="replay-chain" role="alert">
      <WarningSign size={14} />
      <span>
        <strong>{say('otherFiles')}</strong>
        {files.bad.map(({ key, name, revision, gone }) => (
          <span key={key} className={css.file}>
            {say(gone ? 'fileGone' : 'fileOther', { name, record: revision + 1 })}{' '}
            <Button size="small" text={say('toBreak')} onClick={() => seek(upTo(events, revision))} />
          </span>
        ))}
      </span>
    </div>
  )
}

/** How far a long history has come, whether its chain is still being walked through, and what could not be checked. */
export function Coming({
  of,
  ticketHistory: { next, events, revision, chain, walkFailed, filesFailed },
}: {
  of: Recorder
  ticketHistory: LoadedHistory
}) {
  const say = useWords(historyWords)
  const stopped = useAtomValue(of.stopped)
  const follow = useSetAtom(of.follow)
  const walkAgain = useSetAtom(of.walkAgain)
  const lookAgain = useSetAtom(of.lookAgain)
  if (next === null && chain !== null && !filesFailed) return null
  const failed = stopped !== null || walkFailed || filesFailed
  const again = () => {
    if (stopped !== null) void follow(revision)
    if (walkFailed) void walkAgain()
    if (filesFailed) void lookAgain()
  }
  return (
    <p className={`${css.chain} ${css.coming}`} role="status">
      {failed ? <WarningSign size={14} /> : <Spinner size={14} />}
      {next !== null && <span className="nums">{say('reading', { n: events.length, all: revision + 1 })}</span>}
      {chain === null && <span>{say(walkFailed ? 'unwalked' : 'walking')}</span>}
      {stopped !== null && <span>{say('stopped')}</span>}
      {filesFailed && <span>{say('unlooked')}</span>}
      {failed && <Button size="small" text={say('again')} onClick={again} />}
    </p>
  )
}

/** The alarm of a record that does not replay: what stands behind it may be incomplete. */
export function Stuck({ of }: { of: Recorder }) {
  const events = useAtomValue(of.events)
  const say = useWords(historyWords)
  const { stuckAt } = useAtomValue(of.scene)
  const seek = useSetAtom(of.seek)
  if (stuckAt === null) return null
  return (
    <p className={`${css.chain} ${css.broken} ${css.stuck}`} data-part="replay-chain" role="alert">
      <WarningSign size={14} /> <strong>{say('stuck', { record: stuckAt + 1 })}</strong>
      <Button size="small" text={say('toBreak')} onClick={() => seek(upTo(events, stuckAt))} />
    </p>
  )
}
