import { useSetAtom } from 'jotai'
import { useWatch } from 'react-hook-form'
import * as Type from 'typebox'
import { api } from '#web/api.ts'
import { useWords } from '#web/i18n.ts'
import { meAtom, useMe } from '#web/session.ts'
import { Avatar } from '#web/ui/Avatar.tsx'
import type { FormFile, RowFile } from '#web/ui/changed.ts'
import { FileField } from '#web/ui/FileField.tsx'
import { FormDialog } from '#web/ui/FormDialog.tsx'
import { useObjectUrl } from '#web/ui/objectUrl.ts'
import { useSent } from '#web/ui/sent.ts'
import css from './PictureDialog.module.css'
import { pictures, squared } from './square.ts'
import { userWords } from './words.ts'

const Form = Type.Object({ file: Type.Unsafe<FormFile>({}) })

/** Changes or removes the user's own picture. */
export function PictureDialog({ onClose }: { onClose: () => void }) {
  const t = useWords(userWords)
  const me = useMe()
  const setMe = useSetAtom(meAtom)
  const sent = useSent()
  const params = { id: me.id }
  async function save(file: FormFile | undefined): Promise<void> {
    if (file === undefined) return
    const profileImage = file
      ? (await sent(file, (how) => api.users.attach({ params, body: {} }, how))).profileImage
      : await api.users.detach({ params }).then(() => null)
    setMe((now) => now && { ...now, profileImage })
  }
  return (
    <FormDialog
      title={t('picture')}
      body={Form}
      start={{ file: stored(me.profileImage) }}
      onSubmit={(_, { file }) => save(file)}
      onClose={onClose}
    >
      <Preview name={me.name} />
      <FileField label={t('image')} hint={t('pictureHint')} accept={pictures} ready={squared} />
    </FormDialog>
  )
}

const stored = (path: string | null): RowFile | null =>
  path === null ? null : { path, name: decodeURIComponent(new URL(path, location.origin).pathname.split('/').at(-1)!) }

/** The picture as colleagues will see it. */
function Preview({ name }: { name: string }) {
  const file = useWatch<{ file: FormFile }, 'file'>({ name: 'file' })
  const chosen = useObjectUrl(file instanceof File ? file : null)
  return (
    <div className={css.preview} data-part="picture-preview">
      <Avatar name={name} picture={chosen ?? (file instanceof File ? null : (file?.path ?? null))} size={96} />
    </div>
  )
}
