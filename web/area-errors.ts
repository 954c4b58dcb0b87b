import { errorTexts } from '#domain/error-texts.ts'
import { errorWords } from './errors.ts'
import { fill } from './i18n.ts'

fill(errorWords, errorTexts)
