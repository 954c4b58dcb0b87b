import { DialogBody, Switch } from '@blueprintjs/core'
import { useAtom, useAtomValue, useSetAtom } from 'jotai'
import { useWords } from '#web/i18n.ts'
import { Dialog } from '#web/ui/Dialog.tsx'
import { caps, keyGroupsAtom, shortcutsAtom } from '#web/ui/keys.ts'
import { sheetOpenAtom } from './atoms.ts'
import { shellWords } from './words.ts'

/** The keys of everything that is on screen now. */
export function Sheet() {
  const say = useWords(shellWords)
  const groups = useAtomValue(keyGroupsAtom)
  const open = useSetAtom(sheetOpenAtom)
  const [on, turn] = useAtom(shortcutsAtom)
  return (
    <Dialog isOpen title={say('shortcuts')} onClose={() => open(false)}>
      <DialogBody>
        <Switch autoFocus checked={on} label={say('shortcutsOn')} onChange={({ currentTarget }) => turn(currentTarget.checked)} />
        <p className="sheet-hint">{say('shortcutsHint')}</p>
        {groups.map(({ name, keys }) => (
          <section key={name} className="sheet-group">
            <h3>{name}</h3>
            <dl>
              {keys.map(({ keys: one, also, says }) => (
                <div key={one + says}>
                  <dt>{says}</dt>
                  <dd>
                    {[one, ...(also ? [also] : [])].map((way) => (
                      <span key={way}>
                        {caps(way).map((cap) => (
                          <kbd key={cap}>{cap}</kbd>
                        ))}
                      </span>
                    ))}
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </DialogBody>
    </Dialog>
  )
}
