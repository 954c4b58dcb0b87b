import { useEffect } from 'react'
import { FormProvider, useForm } from 'react-hook-form'
import { files } from '#domain/template/rules.ts'
import { language, translate, useWords } from '#web/i18n.ts'
import { FileField } from '#web/ui/FileField.tsx'
import { kilobytes, megabyte, readied } from '#web/ui/files.ts'
import { uiWords } from '#web/ui/words.ts'
import css from './Template.module.css'
import { templateWords } from './words.ts'

type Kind = keyof typeof files
/** The file as it will be sent, or why WhatsApp would refuse it. */
const fitting = (kind: Kind) => async (chosen: File) => {
  const { types, most } = files[kind]
  if (!types.includes(chosen.type)) return translate(uiWords, 'fileKind', { name: chosen.name })
  const file = await readied(chosen)
  if (typeof file === 'string' || file.size <= most * megabyte) return file
  const sizes = { size: kilobytes(file.size, language()), limit: kilobytes(most * megabyte, language()) }
  return translate(uiWords, 'fileLarge', { name: file.name, ...sizes })
}

/** The file in the header of a template. */
export function HeaderFile({
  kind,
  file,
  wrong,
  onChange,
}: {
  kind: Kind
  file: File | null
  wrong: boolean
  onChange: (file: File | null) => void
}) {
  const t = useWords(templateWords)
  const form = useForm<{ file: File | null }>({ defaultValues: { file } })
  useEffect(
    () => form.subscribe({ formState: { values: true }, callback: ({ values }) => onChange(values.file ?? null) }),
    [form, onChange],
  )
  return (
    <div className={css.file} data-part="template-file">
      <FormProvider {...form}>
        <FileField label={t(kind)} accept={files[kind].types.join()} ready={fitting(kind)} />
      </FormProvider>
      {wrong && (
        <p className={css.wrong} role="alert">
          {t('fileNeeded')}
        </p>
      )}
    </div>
  )
}
