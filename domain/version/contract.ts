import * as Type from 'typebox'
import { anyone } from '#domain/access.ts'
import { get } from '#domain/contract.ts'

/** The application label of the specification (A-VER-01). */
export const label = '17.8.3'
export const version = {
  show: get('/version', { may: anyone, says: 'The label of this version.', answer: Type.Object({ version: Type.String() }) }),
}
