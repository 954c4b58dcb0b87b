import * as Type from 'typebox'
import { acting } from '#domain/access.ts'
import { post } from '#domain/contract.ts'

/** The caller's name for a file that arrives in parts. Other users have their own names. */
export const UploadKey = Type.String({ pattern: '^[\\w-]{1,120}$' })
/** The files of `arrivedFilesField` (rules.ts), in the order in which the call receives them. `size` in bytes. */
export const ArrivedFiles = Type.Array(
  Type.Object({
    key: UploadKey,
    field: Type.String({ minLength: 1, maxLength: 100 }),
    name: Type.String({ maxLength: 1000 }),
    size: Type.Integer({ minimum: 1 }),
    type: Type.String({ maxLength: 200 }),
  }),
  { minItems: 1, maxItems: 20 },
)

export const uploads = {
  part: post('/uploads', {
    may: acting,
    upload: true,
    summary:
      'Adds a part to a file that arrives in parts (multipart: part, after the other fields), and answers how many bytes have arrived. A part that does not begin at that position changes nothing (A-UPLOAD-01).',
    body: Type.Object({ key: UploadKey, position: Type.Integer({ minimum: 0 }) }, { additionalProperties: false }),
    answer: Type.Object({ bytes: Type.Integer() }),
  }),
}
