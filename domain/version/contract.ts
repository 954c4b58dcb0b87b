import * as Type from 'typebox'
import { anyone } from '#domain/access.ts'
import { get } from '#domain/contract.ts'

export const version = {
  show: get('/version', { may: anyone, summary: 'Shows the label of this version.', answer: Type.Object({ version: Type.String() }) }),
}
