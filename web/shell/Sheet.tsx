import { DialogBody, Switch } from '@blueprintjs/core'
import { useAtom, useAtomValue, useSetAtom } from 'jotai'
import { useWords } from '#web/i18n.ts'
import { Dialog } from '#web/ui/Dialog.tsx'
import { caps, keyGroupsAtom, shortcutsAtom } from '#web/ui/keys.ts'
import { sheetOpenAtom } from './atoms.ts'
import css from './Sheet.module.css'
import { merged } from './sheetLines.ts'
import { shellWords } from './words.ts'

/** The keyboard shortcuts of everything on screen. */
export function Sheet() {
  const t = useWords(shellWords)
  const groups = useAtomValue(keyGroupsAtom)
  const setSheetOpen = useSetAtom(sheetOpenAtom)
  const [on, setOn] = useAtom(shortcutsAtom)
  return (
    <Dialog isOpen title={t('shortcuts')} onClose={() => setSheetOpen(false)}>
      <DialogBody>
        <Switch autoFocus checked={on} label={t('shortcutsOn')} onChange={({ currentTarget }) => setOn(currentTarget.checked)} />
        <p className={css.hint}>{t('shortcutsHint')}</p>
        {merged(groups).map(({ name, lines }) => (
          <section key={name} className={css.group}>
            <h3>{name}</h3>
            <dl>
              {lines.map(({ label, ways }) => (
                <div key={label}>
                  <dt>{label}</dt>
                  <dd>
                    {ways.map((way) => (
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
