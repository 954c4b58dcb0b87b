import { Button } from '@blueprintjs/core'
import { useCallback, useEffect, useState } from 'react'
import type { Static } from 'typebox'
import type { connections } from '#domain/connection/contract.ts'
import { isUp } from '#domain/connection/rules.ts'
import { api } from '#web/api.ts'
import { amount, useLanguage, useWords } from '#web/i18n.ts'
import { Head } from '#web/ui/Head.tsx'
import { ErrorView, Skeleton } from '#web/ui/states.tsx'
import table from '#web/ui/Table.module.css'
import { CompanyConnections } from './CompanyConnections.tsx'
import css from './Connections.module.css'
import { connectionWords } from './words.ts'

type Rows = Static<(typeof connections)['all']['answer']>
type Companies = Static<(typeof connections)['companies']['answer']>
const load = async () => {
  const [rows, companies] = await Promise.all([api.connections.all({ query: { session: 0 } }), api.connections.companies()])
  return { rows, companies }
}

/** Each company with its number of connected connections (R-CONN-19). */
export function AllConnections() {
  const t = useWords(connectionWords)
  const language = useLanguage()
  const [found, setFound] = useState<{ rows: Rows; companies: Companies } | null>(null)
  const [error, setError] = useState<unknown>(null)
  const [companyId, setCompanyId] = useState<number | null>(null)
  const reload = useCallback(() => load().then(setFound, setError), [])
  useEffect(() => void reload(), [reload])
  const { rows = [], companies = [] } = found ?? {}
  const by = Map.groupBy(rows, ({ company }) => company.id)
  const of = (some: Rows) => {
    const connected = some.filter(isUp).length
    return [connected, some.length - connected, some.length]
  }
  const numbers = (some: Rows) =>
    of(some).map((n, i) => (
      <td key={['c', 'd', 't'][i]} className={`${table.num} nums`}>
        {amount(n, language)}
      </td>
    ))
  const one = companyId === null ? undefined : by.get(companyId)
  return (
    <>
      <Head title={t('allTitle')} lead={t('allLead')} />
      {error ? <ErrorView error={error} onRetry={reload} /> : !found && <Skeleton rows={6} height={40} />}
      {found && (
        <div className={table.room}>
          <table className={table.table} data-part="table" aria-label={t('allTitle')}>
            <thead>
              <tr>
                <th scope="col">{t('company')}</th>
                {(['connected', 'disconnected', 'total'] as const).map((word) => (
                  <th key={word} scope="col" className={table.num}>
                    {t(word)}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {companies.map(({ id, name }) => (
                <tr key={id}>
                  <td>
                    {by.has(id) ? (
                      <Button variant="minimal" text={name} onClick={() => setCompanyId(id)} />
                    ) : (
                      <span dir="auto" className={css.none}>
                        {name}
                      </span>
                    )}
                  </td>
                  {numbers(by.get(id) ?? [])}
                </tr>
              ))}
            </tbody>
            <tfoot className={css.totals}>
              <tr>
                <td>{t('total')}</td>
                {numbers(rows)}
              </tr>
            </tfoot>
          </table>
        </div>
      )}
      {one && <CompanyConnections rows={one} reload={reload} onClose={() => setCompanyId(null)} />}
    </>
  )
}
