import { Button } from '@blueprintjs/core'
import { channelOfProduct, channels } from '#domain/channel/channels.ts'
import type { Connection } from '#domain/connection/contract.ts'
import { useLanguage, useWords } from '#web/i18n.ts'
import { useAsyncAction } from '#web/ui/async-action.ts'
import { date } from '#web/ui/moment.ts'
import css from './Connections.module.css'
import { cloudWords } from './cloud-words.ts'
import { goToMeta } from './metaLogin.ts'

/**
 * Shows the page or Instagram account at Meta, the expiry of its token, and a button that renews it with the
 * viewer's own Meta login.
 */
export function GraphAccount({ account, foreign }: { account: NonNullable<Connection['account']>; foreign: boolean }) {
  const { product, accountId, tokenExpiresAt } = account
  const t = useWords(cloudWords)
  const language = useLanguage()
  const act = useAsyncAction()
  return (
    <>
      <p>
        {channels[channelOfProduct(product)].name}: <code>{accountId}</code>
      </p>
      <p className={css.expiry}>{tokenExpiresAt ? t('lasts', { at: date(tokenExpiresAt, language) }) : t('lastsOn')}</p>
      {foreign ? (
        <p className={css.expiry}>{t('loginTheirs')}</p>
      ) : (
        <>
          <Button text={t('loginAgain')} loading={act.pending} onClick={() => void act(() => goToMeta())()} />
          <p className={css.expiry}>{t('loginAgainHint')}</p>
        </>
      )}
    </>
  )
}
