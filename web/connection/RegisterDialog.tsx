import { type ConnectionRow, connections } from '#domain/connection/contract.ts'
import { api } from '#web/api.ts'
import { useWords } from '#web/i18n.ts'
import { FormDialog } from '#web/ui/FormDialog.tsx'
import { TextField } from '#web/ui/fields.tsx'
import { toast } from '#web/ui/toaster.ts'
import css from './Connections.module.css'
import { sessionWords } from './session-words.ts'

/** An unregistered Cloud API number cannot send. Its PIN registers it. */
export function RegisterDialog({ row, onClose, onDone }: { row: ConnectionRow; onClose: () => void; onDone?: (() => void) | undefined }) {
  const t = useWords(sessionWords)
  return (
    <FormDialog
      title={`${t('register')}: ${row.name}`}
      body={connections.register.body}
      start={{ pin: '' }}
      verb={t('register')}
      rules={{ pin: (value) => (/^\d{6}$/.test(String(value)) ? null : t('pinSix')) }}
      beside={{ ERR_CHANNEL_PIN: 'pin' }}
      onClose={onClose}
      onSubmit={async (body) => {
        await api.connections.register({ params: { id: row.id }, body })
        toast(t('registered', { name: row.name }))
        onDone?.()
      }}
    >
      <p className={css.lead}>{t('registerLead')}</p>
      <TextField name="pin" type="tel" label={t('pin')} autoFocus />
    </FormDialog>
  )
}
