import { OverlayToaster, Position, type Toaster } from '@blueprintjs/core'
import { createRoot } from 'react-dom/client'

/** One for the whole page, with a React root of its own. */
export const create = (): Promise<Toaster> =>
  OverlayToaster.create(
    { position: Position.TOP, maxToasts: 3, className: 'toaster' },
    { domRenderer: (element, container) => createRoot(container).render(element) },
  )
