import { Button } from '@blueprintjs/core'
import { Refresh } from '@blueprintjs/icons'
import { useAtomValue } from 'jotai'
import { useEffect, useEffectEvent, useState } from 'react'
import { minuteMs } from '#domain/duration/rules.ts'
import { api } from '#web/api.ts'
import { translate, useWords } from '#web/i18n.ts'
import { Confirm } from '#web/ui/Confirm.tsx'
import { toast } from '#web/ui/toaster.ts'
import { connectionList } from './list.ts'
import { sessionWords } from './session-words.ts'
import { connectionWords } from './words.ts'

/**
 * States that count as restarted: connected, or showing a code. A link that Meta or the phone ended does not
 * return by itself.
 */
const there = ['CONNECTED', 'qrcode']
/** Later results are visible in the row of the connection. */
const timeoutMs = minuteMs

/** Restarts all sessions after a confirmation and counts those that are connected again (A-CONN-05). */
export function Restart() {
  const t = useWords(connectionWords)
  const rows = useAtomValue(connectionList.lists('').all)
  const [asked, setAsked] = useState(false)
  const [begun, setBegun] = useState<{ all: number; before: Map<number, string> } | null>(null)
  const back = begun ? rows.filter(({ id, status, updatedAt }) => there.includes(status) && begun.before.get(id) !== updatedAt).length : 0
  const all = begun?.all ?? 0
  const over = begun !== null && back >= all
  useEffect(() => {
    if (over) toast(translate(connectionWords, 'restarted', { n: all }))
  }, [over, all])
  const give = useEffectEvent(() => {
    if (begun !== null && !over) toast(translate(sessionWords, 'restartedSome', { done: back, n: all }), 'warning')
    setBegun(null)
  })
  useEffect(() => {
    if (begun === null) return
    const timer = setTimeout(() => give(), timeoutMs)
    return () => clearTimeout(timer)
  }, [begun])
  const handleRestart = async () => {
    const before = new Map(rows.map(({ id, updatedAt }) => [id, updatedAt]))
    setBegun({ all: (await api.connections.restart()).restarted, before })
  }
  return (
    <>
      <Button
        icon={<Refresh />}
        aria-live="polite"
        text={begun && !over ? t('restarting', { done: Math.min(back, all), all }) : t('restart')}
        disabled={rows.length === 0 || (begun !== null && !over)}
        onClick={() => setAsked(true)}
      />
      {asked && (
        <Confirm
          title={t('restart')}
          question={t('askRestart')}
          verb={t('restart')}
          intent="primary"
          onClose={() => setAsked(false)}
          onConfirm={handleRestart}
        />
      )}
    </>
  )
}
