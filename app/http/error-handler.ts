import type { Call } from '#domain/contract.ts'
import { caseTexts, errorTexts } from '#domain/error-texts.ts'
import { type Case, type ErrorCode, type errors, Refusal } from '#domain/errors.ts'
import { Unavailable } from '../event-store/event-store.ts'
import { isContention, isDiskFull, isUnavailable } from '../event-store/transient-errors.ts'

const languages = ['pt', 'en', 'es', 'tr']
const columnOf = (tag: string) => languages.indexOf(tag.toLowerCase().split('-')[0]!)

/**
 * Returns the error text in the best accepted language, otherwise the company's language, otherwise the
 * default language (A-ERR-01).
 */
export function refusalText(which: Case, accepts = '', own = '', detail: Refusal['detail'] = {}): string {
  const texts = caseTexts[which] ?? errorTexts[which.split('/')[0] as ErrorCode]
  const liked = accepts
    .slice(0, 200)
    .split(',')
    .map((one) => one.trim().split(/\s*;\s*q=/))
    .map(([tag = '', weight = '1']) => ({ at: columnOf(tag), weight: Number(weight) || 0 }))
    .filter(({ at, weight }) => at >= 0 && weight > 0)
    .toSorted((a, b) => b.weight - a.weight)
  const at = liked[0]?.at ?? Math.max(0, columnOf(own))
  return texts[at as 0 | 1 | 2 | 3].replace(/\{(\w+)\}/g, (name, key: string) => `${(detail[key] as string | number | undefined) ?? name}`)
}

type Failed = Error & { code?: string; statusCode?: number; validation?: any[]; validationContext?: string }
/** Maps every client error to a code of the catalogue. Any other error is a bug and becomes a 500. */
export function refusalFor(error: Failed, call?: Pick<Call, 'invalidPathCase'>): Refusal {
  if (error instanceof Refusal) return error
  if (error instanceof Unavailable) return new Refusal('ERR_UNAVAILABLE')
  if (error.validation) {
    const [first] = error.validation
    return new Refusal((error.validationContext === 'params' && call?.invalidPathCase) || 'ERR_INVALID_INPUT', {
      field: [...(first?.instancePath ?? '').split('/').slice(1), ...[unknownOrMissing(first)].flat()].join('/'),
      rule: first?.keyword,
    })
  }
  const code = error.code ?? ''
  if (/TOO_LARGE|LIMIT|RequestFileTooLarge/i.test(code)) return new Refusal('ERR_TOO_LARGE')
  if (/MEDIA_TYPE/.test(code)) return new Refusal('ERR_UNSUPPORTED_MEDIA')
  if (/^22/.test(code)) return new Refusal('ERR_INVALID_INPUT')
  if (isDiskFull(error)) return new Refusal('ERR_DISK_FULL')
  if (code === '23505') return new Refusal('ERR_DUPLICATED_NAME')
  if (code === '23503') return new Refusal('ERR_NOT_FOUND') // the referenced row was deleted in the meantime
  if (isContention(error)) return new Refusal('ERR_BUSY')
  if (isUnavailable(error)) return new Refusal('ERR_UNAVAILABLE')
  const status = error.statusCode ?? 500
  return new Refusal(status < 500 ? (status in byStatus ? byStatus[status as keyof typeof byStatus] : 'ERR_INVALID_INPUT') : 'ERR_INTERNAL')
}
const unknownOrMissing = ({ params }: { params?: { additionalProperty?: string; missingProperty?: string } }) =>
  params?.additionalProperty?.slice(0, 100) ?? params?.missingProperty ?? []
const byStatus = {
  404: 'ERR_NOT_FOUND',
  413: 'ERR_TOO_LARGE',
  415: 'ERR_UNSUPPORTED_MEDIA',
  429: 'ERR_TOO_MANY_REQUESTS',
} as const satisfies Record<number, keyof typeof errors>
