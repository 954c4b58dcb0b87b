import { Button, FormGroup, InputGroup } from '@blueprintjs/core'
import { Duplicate } from '@blueprintjs/icons'
import { useId } from 'react'
import type { Connection } from '#domain/connection/contract.ts'
import { translate, useLanguage, useWords } from '#web/i18n.ts'
import type { FieldRules } from '#web/ui/check.ts'
import { TextField } from '#web/ui/fields.tsx'
import { date } from '#web/ui/moment.ts'
import { toast } from '#web/ui/toaster.ts'
import { uiWords } from '#web/ui/words.ts'
import css from './Connections.module.css'
import { cloudWords } from './cloud-words.ts'

export type Cloud = { phoneNumberId: string; businessId: string; accessToken: string; appSecret: string; verifyToken: string }
/** The form shows the stored ids. Token and secrets are never shown again, and an empty field keeps them. */
export const cloudOf = (account: Connection['account'] | null): Cloud => ({
  ...{ phoneNumberId: account?.accountId ?? '', businessId: account?.businessId ?? '' },
  ...{ accessToken: '', appSecret: '', verifyToken: '' },
})
/** The entered values without surrounding blanks, which are often pasted along. */
export const written = (cloud: Cloud): Cloud =>
  Object.fromEntries(
    Object.entries(cloud)
      .map(([name, text]) => [name, text.trim()])
      .filter(([, text]) => text !== ''),
  ) as Cloud

const ids = ['phoneNumberId', 'businessId'] as const
const secrets = ['accessToken', 'appSecret', 'verifyToken'] as const
/** Checks the pasted values before Meta is called. `all`: nothing is stored yet, so each value is required. */
export const cloudFieldRules = (all: boolean): FieldRules =>
  Object.fromEntries(
    [...ids, ...secrets].map((name) => [
      `cloud.${name}`,
      (value) => {
        const text = typeof value === 'string' ? value.trim() : ''
        if (text === '') return all ? translate(uiWords, 'required') : null
        if (name === 'phoneNumberId' || name === 'businessId') return /^\d{1,30}$/.test(text) ? null : translate(cloudWords, 'badId')
        return /\s/.test(text) ? translate(cloudWords, 'gap') : null
      },
    ]),
  )
const atMeta: Record<string, keyof typeof cloudWords> = {
  'cloud/accessToken/ERR_CHANNEL_TOKEN': 'badToken',
  'cloud/appSecret/ERR_CHANNEL_ACCOUNT': 'badSecret',
  'cloud/phoneNumberId/ERR_CHANNEL_ACCOUNT': 'noNumber',
  'cloud/businessId/ERR_CHANNEL_ACCOUNT': 'noBusiness',
}
/** The text for a value that Meta refused. */
export const cloudError = (name: string, why: string): string | null => {
  const word = atMeta[`${name}/${why}`]
  return word ? translate(cloudWords, word) : null
}

/** The identifiers and secrets of a Cloud API number at Meta (A-CONN-03). */
export function CloudFields({ account }: { account: Connection['account'] | null }) {
  const t = useWords(cloudWords)
  const language = useLanguage()
  const kept = account ? { hint: t('kept') } : {}
  return (
    <>
      <p>{t('lead')}</p>
      <TextField name="cloud.phoneNumberId" label={t('phoneNumberId')} />
      <TextField name="cloud.businessId" label={t('businessId')} />
      <TextField name="cloud.accessToken" label={t('accessToken')} {...kept} />
      {account?.tokenExpiresAt && <p className={css.expiry}>{t('lasts', { at: date(account.tokenExpiresAt, language) })}</p>}
      <TextField name="cloud.appSecret" label={t('appSecret')} {...kept} />
      <TextField name="cloud.verifyToken" label={t('verifyToken')} hint={account ? t('kept') : t('verifyHint')} />
      {account ? <Hook hook={account.hook} /> : <p>{t('hookLater')}</p>}
    </>
  )
}

/** The webhook values that must be entered at Meta. */
export function Hook({ hook }: { hook: string }) {
  const t = useWords(cloudWords)
  const id = useId()
  const address = `${location.origin}/api/webhooks/whatsappapi/${hook}`
  const copy = async () => {
    await navigator.clipboard.writeText(address)
    toast(t('copied'))
  }
  return (
    <FormGroup label={t('hook')} labelFor={id} helperText={t('hookHint')}>
      <div className={css.token}>
        <InputGroup id={id} fill readOnly value={address} />
        <Button icon={<Duplicate />} aria-label={t('copyHook')} title={t('copyHook')} onClick={() => void copy()} />
      </div>
    </FormGroup>
  )
}
