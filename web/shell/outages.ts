import { atom, useAtomValue } from 'jotai'
import { useEffect } from 'react'
import { useLocation } from 'wouter'
import type { ConnectionRow } from '#domain/connection/contract.ts'
import { isOutage } from '#domain/connection/rules.ts'
import { groups } from '#web/calls.ts'
import { outageWords } from '#web/connection/outage-words.ts'
import { translate } from '#web/i18n.ts'
import { store, useMay } from '#web/session.ts'
import { connectionChoices } from '#web/ticket/choices.ts'
import { createUserStorageAtom } from '#web/ui/session-storage-atom.ts'
import { toast } from '#web/ui/toaster.ts'
import { shellWords } from './words.ts'

const none = atom<ConnectionRow[]>([])
/** Lost connections that this tab has announced. */
const announcedAtom = createUserStorageAtom<number[]>('away', [])
const why = ({ reason, silentSince }: ConnectionRow) => (silentSince ? 'SILENT' : reason)

/** Announces a lost connection and the reason to users who can act on it, once per outage. */
export function useOutages(): void {
  const rows = useAtomValue(useMay(groups.connections.create) ? connectionChoices.all : none)
  const [at, go] = useLocation()
  useEffect(() => {
    const announced = store.get(announcedAtom)
    const away = rows.filter((row) => why(row) !== null)
    for (const row of away) {
      if (announced.includes(row.id) || at === '/connections') continue // the user sees the connections already
      const reason = why(row)!
      const text = translate(shellWords, 'connectionAway', {
        name: row.name,
        reason: isOutage(reason) ? translate(outageWords, reason) : reason,
      })
      toast(text, 'danger', { action: { text: translate(shellWords, 'toConnections'), run: () => go('/connections') }, timeout: 30_000 })
    }
    const now = [...announced.filter((id) => !rows.some((row) => row.id === id && why(row) === null)), ...away.map(({ id }) => id)]
    if (String([...new Set(now)]) !== String(announced)) store.set(announcedAtom, [...new Set(now)])
  }, [rows, at, go])
}
