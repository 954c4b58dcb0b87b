import { Button, Menu, MenuItem } from '@blueprintjs/core'
import { CellTower, Offline, Pause, Unlink } from '@blueprintjs/icons'
import { type ReactElement, useState } from 'react'
import { api } from '#web/api.ts'
import { useWords } from '#web/i18n.ts'
import { useAsyncAction } from '#web/ui/async-action.ts'
import { Popover } from '#web/ui/Popover.tsx'
import { toast } from '#web/ui/toaster.ts'
import { sandboxWords } from './words.ts'

/** Simulates what the network reports about the connection. */
export function Network({ connectionId }: { connectionId: number }) {
  const t = useWords(sandboxWords)
  const act = useAsyncAction()
  const [open, setOpen] = useState(false)
  const tell = (body: Parameters<typeof api.sandbox.session>[0]['body']) =>
    act(async () => {
      await api.sandbox.session({ params: { connectionId }, body })
      toast(t('networkReported'))
    })
  const item = (text: string, icon: ReactElement, body: Parameters<typeof tell>[0]) => (
    <MenuItem text={text} icon={icon} onClick={() => void tell(body)()} />
  )
  return (
    <Popover
      open={open}
      onOpenChange={setOpen}
      placement="bottom-end"
      content={
        <Menu>
          {item(t('networkUnlinks'), <Unlink />, { status: 'DISCONNECTED', reason: 'LOGGED_OUT' })}
          {item(t('networkBlocks'), <Offline />, { status: 'DISCONNECTED', reason: 'FORBIDDEN' })}
          {item(t('networkSilent'), <Pause />, { status: 'CONNECTED', silent: true })}
          {item(t('networkBack'), <CellTower />, { status: 'CONNECTED' })}
        </Menu>
      }
    >
      <Button icon={<CellTower />} text={t('network')} loading={act.pending} />
    </Popover>
  )
}
