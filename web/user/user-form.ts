import type { Static } from 'typebox'
import * as Type from 'typebox'
import { passwordLength } from '#domain/session/rules.ts'
import { user } from '#domain/user/contract.ts'
import { published } from '#domain/user/rules.ts'
import type { FormFile, RowFile } from '#web/ui/changed.ts'
import { anyColour } from '#web/ui/colour.ts'

const Secret = Type.Union([Type.String({ minLength: passwordLength.min, maxLength: passwordLength.max }), Type.Literal('')])
export const UserFormBody = Type.Object({
  ...user.Body.properties,
  password: Secret,
  currentPassword: Type.String({ maxLength: 200 }),
  file: Type.Unsafe<FormFile>({}),
})
export type UserFormValues = Static<typeof UserFormBody>

/** Preselects a queue if there is only one (R-VALID-05). */
export const blankUser = (queues: { id: number }[]): UserFormValues => ({
  ...{ name: '', email: '', profile: 'user', queueIds: queues.length === 1 ? [queues[0]!.id] : [], reportQueueIds: null, whatsappId: null },
  ...{ startWork: '00:00', endWork: '23:59', farewellMessage: null, color: anyColour() },
  ...published({ userClosePendingTicket: true }),
  ...{ defaultTheme: 'light', defaultMenu: 'open', language: 'pt-BR', password: '', currentPassword: '', file: null },
})
export const pictureOf = (path: string | null): RowFile | null =>
  path === null ? null : { path, name: decodeURIComponent(new URL(path, location.origin).pathname.split('/').at(-1)!) }
