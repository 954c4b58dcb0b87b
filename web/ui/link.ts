import { webAddress } from '#domain/interactive/rules.ts'

/** A page of the web as it is kept: what was pasted with blanks around it or without its beginning is put right. */
export const link = (text: string): string => (/^https?:\/\/\S+$/.test(text) ? text : (webAddress(text) ?? text.trim()))
