import { Button } from '@blueprintjs/core'
import { useCallback, useEffect, useState } from 'react'
import type { Static } from 'typebox'
import type { connections } from '#domain/connection/contract.ts'
import { api } from '#web/api.ts'
import { amount, useLanguage, useWords } from '#web/i18n.ts'
import { Head } from '#web/ui/Head.tsx'
import { ErrorView, Skeleton } from '#web/ui/states.tsx'
import table from '#web/ui/Table.module.css'
import { CompanyConnections } from './CompanyConnections.tsx'
import css from './Connections.module.css'
import { connectionWords } from './words.ts'

type Rows = Static<(typeof connections)['all']['answer']>

/** Of every company, how many of its connections are connected (R-CONN-19). */
export function AllConnections() {
  const say = useWords(connectionWords)
  const language = useLanguage()
  const [rows, keep] = useState<Rows | null>(null)
  const [error, fail] = useState<unknown>(null)
  const [shown, show] = useState<number | null>(null)
  const load = useCallback(() => api.connections.all({ query: { session: 0 } }).then(keep, fail), [])
  useEffect(() => void load(), [load])
  const companies = [...Map.groupBy(rows ?? [], ({ company }) => company.id).values()]
  const of = (some: Rows) => {
    const connected = some.filter(({ status }) => status === 'CONNECTED').length
    return [connected, some.length - connected, some.length]
  }
  const numbers = (some: Rows) =>
    of(some).map((n, i) => (
      <td key={['c', 'd', 't'][i]} className={`${table.num} nums`}>
        {amount(n, language)}
      </td>
    ))
  const one = companies.find(([first]) => first!.company.id === shown)
  return (
    <>
      <Head title={say('allTitle')} lead={say('allLead')} />
      {error ? <ErrorView error={error} retry={load} /> : !rows && <Skeleton rows={6} height={40} />}
      {rows && (
        <div className={table.room}>
          <table className={table.table} data-part="table" aria-label={say('allTitle')}>
            <thead>
              <tr>
                <th scope="col">{say('company')}</th>
                {(['connected', 'disconnected', 'total'] as const).map((word) => (
                  <th key={word} scope="col" className={table.num}>
                    {say(word)}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {companies.map((some) => (
                <tr key={some[0]!.company.id}>
                  <td>
                    <Button variant="minimal" text={some[0]!.company.name} onClick={() => show(some[0]!.company.id)} />
                  </td>
                  {numbers(some)}
                </tr>
              ))}
            </tbody>
            <tfoot className={css.totals}>
              <tr>
                <td>{say('total')}</td>
                {numbers(rows)}
              </tr>
            </tfoot>
          </table>
        </div>
      )}
      {one && <CompanyConnections rows={one} reload={load} onClose={() => show(null)} />}
    </>
  )
}
