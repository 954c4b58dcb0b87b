import { atom } from 'jotai'
import { atomFamily } from 'jotai-family'
import type { Template } from '#domain/template/contract.ts'

export const keyOf = ({ name, language }: Pick<Template, 'name' | 'language'>) => `${language} ${name}`
/** The chosen template and its values, kept per ticket while the dialog is closed. */
type Draft = {
  chosen: string | null
  values: Readonly<Record<string, readonly string[]>>
  files: Readonly<Record<string, File | null>>
}
export const blank: Draft = { chosen: null, values: {}, files: {} }
export const templateDraftOf = atomFamily((_ticketId: number) => atom(blank))
