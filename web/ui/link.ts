import { webAddress } from '#domain/interactive/rules.ts'

/** A web address for storage: trims blanks and adds a missing scheme. */
export const link = (text: string): string => (/^https?:\/\/\S+$/.test(text) ? text : (webAddress(text) ?? text.trim()))
