import { Dialog, DialogBody } from '@blueprintjs/core'
import { useAtomValue, useSetAtom } from 'jotai'
import { useWords } from '#web/i18n.ts'
import { caps, keyGroupsAtom } from '#web/ui/keys.ts'
import { sheetOpenAtom } from './atoms.ts'
import { shellWords } from './words.ts'

/** The keys of everything that is on screen now. */
export function Sheet() {
  const say = useWords(shellWords)
  const groups = useAtomValue(keyGroupsAtom)
  const open = useSetAtom(sheetOpenAtom)
  return (
    <Dialog isOpen title={say('shortcuts')} onClose={() => open(false)}>
      <DialogBody>
        {groups.map(({ name, keys }) => (
          <section key={name} className="sheet-group">
            <h3>{name}</h3>
            <dl>
              {keys.map(({ keys: one, says }) => (
                <div key={one + says}>
                  <dt>{says}</dt>
                  <dd>
                    {caps(one).map((cap) => (
                      <kbd key={cap}>{cap}</kbd>
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
