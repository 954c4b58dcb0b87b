import { translate } from '#web/i18n.ts'
import { store } from '#web/session.ts'
import { leadToAtom } from './atoms.ts'
import { optionWords } from './words.ts'

export const lookFor = (key: keyof typeof optionWords): void => store.set(leadToAtom, translate(optionWords, key))
