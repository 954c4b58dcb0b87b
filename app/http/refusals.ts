import { caseTexts, errorTexts } from '#domain/error-texts.ts'
import type { Case, ErrorCode } from '#domain/errors.ts'

const languages = ['pt', 'en', 'es', 'tr']

/** What a refusal says, in the language the caller likes best of ours, else in the one the product is written in (A-ERR-01). */
export function refusalText(which: Case, accepts = ''): string {
  const texts = caseTexts[which] ?? errorTexts[which.split('/')[0] as ErrorCode]
  const liked = accepts
    .slice(0, 200)
    .split(',')
    .map((one) => one.trim().split(/\s*;\s*q=/))
    .map(([tag = '', weight = '1']) => ({ at: languages.indexOf(tag.toLowerCase().split('-')[0]!), weight: Number(weight) || 0 }))
    .filter(({ at, weight }) => at >= 0 && weight > 0)
    .toSorted((a, b) => b.weight - a.weight)
  return texts[(liked[0]?.at ?? 0) as 0 | 1 | 2 | 3]
}
