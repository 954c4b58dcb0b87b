import { Button, Menu, MenuDivider, MenuItem } from '@blueprintjs/core'
import { Bookmark, CaretDown, Cog, FloppyDisk, Tick } from '@blueprintjs/icons'
import { useAtomValue, useSetAtom } from 'jotai'
import { useState } from 'react'
import { useWords } from '#web/i18n.ts'
import type { ReportView } from '#web/report/filter.ts'
import { Popover } from '#web/ui/Popover.tsx'
import { failure } from '#web/ui/toaster.ts'
import { Walked } from '#web/ui/Walked.tsx'
import { uiWords } from '#web/ui/words.ts'
import { savedFilters } from './atoms.ts'
import { FilterForm } from './FilterForm.tsx'
import { FilterList } from './FilterList.tsx'
import css from './SavedFilters.module.css'
import { isShown, savedOf, viewOfSaved } from './saved.ts'
import { reportFilterWords } from './words.ts'

/** The menu of saved filters: choosing one shows it, and so sets the address. */
export function SavedFilters({ view, onShow }: { view: ReportView; onShow: (view: ReportView) => void }) {
  const t = useWords(reportFilterWords)
  const [open, setOpen] = useState(false)
  const [dialog, setDialog] = useState<'save' | 'list' | null>(null)
  const reload = useSetAtom(savedFilters.reload)
  return (
    <>
      <Popover
        open={open}
        onOpenChange={setOpen}
        placement="bottom-end"
        content={<Walked>{open && <Filters view={view} onShow={onShow} onDialog={setDialog} />}</Walked>}
      >
        <Button icon={<Bookmark />} endIcon={<CaretDown />} text={t('saved')} aria-haspopup="menu" aria-expanded={open} />
      </Popover>
      {dialog === 'save' && <FilterForm filter={savedOf(view)} onSaved={reload} onClose={() => setDialog(null)} />}
      {dialog === 'list' && <FilterList view={view} onShow={onShow} onClose={() => setDialog(null)} />}
    </>
  )
}

type FiltersProps = { view: ReportView; onShow: (view: ReportView) => void; onDialog: (dialog: 'save' | 'list') => void }
function Filters({ view, onShow, onDialog }: FiltersProps) {
  const t = useWords(reportFilterWords)
  const tUi = useWords(uiWords)
  const loaded = useAtomValue(savedFilters)
  const reload = useSetAtom(savedFilters.reload)
  const rows = loaded.state === 'ready' ? loaded.value.filters : []
  return (
    <Menu className={css.menu!} aria-label={t('saved')}>
      {loaded.state === 'loading' && <MenuItem disabled text={tUi('loading')} />}
      {loaded.state === 'failed' && (
        <MenuItem shouldDismissPopover={false} text={failure(loaded.error)} label={tUi('retry')} multiline onClick={() => void reload()} />
      )}
      {loaded.state === 'ready' && rows.length === 0 && <MenuItem disabled multiline text={t('none')} />}
      {rows.map(({ id, name, filter }) => (
        <MenuItem
          key={id}
          text={<bdi>{name}</bdi>}
          icon={isShown(filter, view) ? <Tick /> : <Bookmark />}
          onClick={() => onShow(viewOfSaved(filter))}
        />
      ))}
      <MenuDivider />
      <MenuItem icon={<FloppyDisk />} text={t('saveThis')} onClick={() => onDialog('save')} />
      <MenuItem icon={<Cog />} text={t('manage')} disabled={rows.length === 0} onClick={() => onDialog('list')} />
    </Menu>
  )
}
