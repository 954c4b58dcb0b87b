import { type ContactRow, contacts } from '#domain/contact/contract.ts'
import { api } from '#web/api.ts'
import { translate } from '#web/i18n.ts'
import { useMay } from '#web/session.ts'
import { useAsyncAction } from '#web/ui/async-action.ts'
import { toastUndo } from '#web/ui/toaster.ts'
import { uiWords } from '#web/ui/words.ts'
import { switchWords } from './switch-words.ts'

type Switch = 'disableBot' | 'acceptAudioMessage'
const doneText = {
  disableBot: (to: boolean) => (to ? 'botOffDone' : 'botOnDone'),
  acceptAudioMessage: (to: boolean) => (to ? 'audioOnDone' : 'audioOffDone'),
} as const

/** Sets a switch of a contact and offers to undo it (R-BOT-05, A-AUDIO-01). The value is sent, so two people cannot toggle twice. */
export function useContactSwitch({ id, name }: Pick<ContactRow, 'id' | 'name'>, onSaved: (row: ContactRow) => void) {
  const act = useAsyncAction()
  const save = async (which: Switch, to: boolean) => onSaved(await api.contacts.update({ params: { id }, body: { [which]: to } }))
  return {
    may: useMay(contacts.update),
    pending: act.pending,
    set: (which: Switch, to: boolean) =>
      void act(async () => {
        await save(which, to)
        toastUndo(translate(switchWords, doneText[which](to), { name }), translate(uiWords, 'undo'), () => save(which, !to))
      })(),
  }
}
