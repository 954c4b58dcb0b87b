import { useAtom } from 'jotai'
import { type ComponentType, lazy, Suspense } from 'react'
import { dialogAtom } from '#web/ticket/atoms.ts'
import { useReturnFocus } from '#web/ui/returnFocus.ts'
import type { Dialog, DialogProps, Kind } from './dialog.ts'

const named = <K extends Kind, N extends string>(load: () => Promise<Record<N, ComponentType<DialogProps<K>>>>, name: N) =>
  lazy(async () => ({ default: (await load())[name] }))

/** One file per dialog, loaded on first use. */
const dialogs: { [K in Kind]: ComponentType<DialogProps<K>> } = {
  queue: named(() => import('./QueueDialog.tsx'), 'QueueDialog'),
  busy: named(() => import('./BusyDialog.tsx'), 'BusyDialog'),
  transfer: named(() => import('./TransferDialog.tsx'), 'TransferDialog'),
  log: named(() => import('./LogDialog.tsx'), 'LogDialog'),
  notes: named(() => import('./NotesDialog.tsx'), 'NotesDialog'),
  peek: named(() => import('./PeekDialog.tsx'), 'PeekDialog'),
  print: named(() => import('./PrintDialog.tsx'), 'PrintDialog'),
  new: named(() => import('./NewTicketDialog.tsx'), 'NewTicketDialog'),
  closeAll: named(() => import('./CloseAllDialog.tsx'), 'CloseAllDialog'),
  delete: named(() => import('./DeleteDialog.tsx'), 'DeleteDialog'),
  ignore: named(() => import('./IgnoreDialog.tsx'), 'IgnoreDialog'),
  contact: named(() => import('./ContactDialog.tsx'), 'ContactDialog'),
  forward: named(() => import('./ForwardDialog.tsx'), 'ForwardDialog'),
  edit: named(() => import('./EditDialog.tsx'), 'EditDialog'),
  deleteMessage: named(() => import('./DeleteMessageDialog.tsx'), 'DeleteMessageDialog'),
  template: named(() => import('#web/template/TemplateDialog.tsx'), 'TemplateDialog'),
  interactive: named(() => import('#web/interactive/InteractiveDialog.tsx'), 'InteractiveDialog'),
  fileList: named(() => import('#web/file-list/SendFileList.tsx'), 'SendFileList'),
  camera: named(() => import('./CameraDialog.tsx'), 'CameraDialog'),
  sendContact: named(() => import('./SendContactDialog.tsx'), 'SendContactDialog'),
  image: named(() => import('./ImageDialog.tsx'), 'ImageDialog'),
}

export function Dialogs() {
  const [current, setAsked] = useAtom(dialogAtom)
  if (!current) return null
  // A dialog may open the next one, so only the current dialog may close.
  return <One key={current.kind} of={current} onClose={() => setAsked((now) => (now === current ? null : now))} />
}

function One(dialog: { of: Dialog; onClose: () => void }) {
  useReturnFocus()
  /* A click beside a picture does not close it either, because it may be the second of a double click. */
  const handleClose = (event?: { type?: string }) => (event?.type === 'mousedown' ? undefined : dialog.onClose())
  const DialogProps = dialogs[dialog.of.kind] as ComponentType<typeof dialog>
  return (
    <Suspense>
      <DialogProps of={dialog.of} onClose={handleClose} />
    </Suspense>
  )
}
