import { Button, Menu, MenuItem } from '@blueprintjs/core'
import { Chat, Duplicate, Phone } from '@blueprintjs/icons'
import { useSetAtom } from 'jotai'
import { useWords } from '#web/i18n.ts'
import { messageWords } from '#web/message/words.ts'
import { dialogAtom } from '#web/ticket/atoms.ts'
import { Drop } from '#web/ticket/list/Drop.tsx'
import { toast } from '#web/ui/toaster.ts'
import { uiWords } from '#web/ui/words.ts'
import written from './Written.module.css'

/** A phone number in a text: it can be called, messaged or copied. */
export function Callable({ number }: { number: string }) {
  const t = useWords(messageWords)
  const tUi = useWords(uiWords)
  const setDialog = useSetAtom(dialogAtom)
  const dialled = number.replace(/[^\d+]/g, '')
  return (
    <Drop
      placement="bottom-start"
      content={() => (
        <Menu>
          <MenuItem icon={<Chat />} text={t('ticketWith', { number })} onClick={() => setDialog({ kind: 'new', number: dialled })} />
          <MenuItem icon={<Phone />} text={t('callNumber', { number })} href={`tel:${dialled}`} />
          <MenuItem
            icon={<Duplicate />}
            text={tUi('copy')}
            onClick={() => void navigator.clipboard.writeText(number).then(() => toast(tUi('copied')))}
          />
        </Menu>
      )}
    >
      <Button variant="minimal" className={`${written.number} nums`} text={number} />
    </Drop>
  )
}
