import { useSetAtom } from 'jotai'
import { type UserDetail, user } from '#domain/user/contract.ts'
import { api } from '#web/api.ts'
import { useWords } from '#web/i18n.ts'
import { chooseLanguage, meAtom, useMe } from '#web/session.ts'
import { bodyOf, type FormFile } from '#web/ui/changed.ts'
import { useSent } from '#web/ui/sent.ts'
import { toast } from '#web/ui/toaster.ts'
import { uiWords } from '#web/ui/words.ts'
import type { UserFormValues } from './user-form.ts'

/** Creates or changes a user, with the picture. A change of oneself is shown at once. */
export function useUserSave(of: UserDetail | null, onMade?: (made: UserDetail) => void) {
  const tUi = useWords(uiWords)
  const own = of?.id === useMe().id
  const setMe = useSetAtom(meAtom)
  const sent = useSent()

  async function depict(id: number, file: FormFile | undefined): Promise<string | null | undefined> {
    if (file === undefined) return undefined
    if (file === null) return api.users.detach({ params: { id } }).then(() => null)
    return (await sent(file, (how) => api.users.attach({ params: { id }, body: {} }, how))).profileImage
  }
  async function save({ file, password, currentPassword, ...body }: UserFormValues, change: Partial<UserFormValues>): Promise<void> {
    if (!of) {
      const made = await api.users.create({ body: { ...body, ...(password && { password }) } })
      await depict(made.id, file ?? undefined)
      toast(tUi('saved'))
      onMade?.(made)
      return
    }
    const { file: picture, password: __, currentPassword: ___, ...fields } = change
    const row = await api.users.update({
      params: { id: of.id },
      body: { ...fields, ...(password && { password }), ...(own && currentPassword && { currentPassword }) },
    })
    const profileImage = await depict(of.id, picture)
    toast(tUi('saved'))
    if (!own) return
    setMe((now) => now && { ...now, ...bodyOf(user.Body, row), queues: row.queues, ...(profileImage !== undefined && { profileImage }) })
    if (fields.language) await chooseLanguage(fields.language)
  }
  return save
}
