import { draggable, dropTargetForElements } from '@atlaskit/pragmatic-drag-and-drop/element/adapter'
import { attachClosestEdge, extractClosestEdge } from '@atlaskit/pragmatic-drag-and-drop-hitbox/closest-edge'
import { type RefObject, useEffect, useEffectEvent, useState } from 'react'
import type { Edge } from './row-order.ts'

/** The dragged item; its kind decides where it may be dropped. */
export type Carried = { kind: string; id: number | string }
type Box = RefObject<HTMLElement | null>

/** Makes an element draggable while `may` is true. */
export function useCarried(box: Box, what: Carried, may = true): void {
  const carried = useEffectEvent(() => what)
  useEffect(() => {
    const { current: element } = box
    if (element && may) return draggable({ element, getInitialData: () => carried() })
  }, [box, may])
}

const allowedEdges: Record<'rows' | 'columns', Edge[]> = { rows: ['top', 'bottom'], columns: ['left', 'right'] }
/**
 * Accepts a dragged item as a whole, or on these edges of the element. Returns the current drop position; null while
 * nothing is over it or an inner element accepts it.
 */
export function usePlace<Where extends 'on' | Edge>(
  box: Box,
  {
    edges,
    takes,
    put,
  }: { edges: 'rows' | 'columns' | null; takes: (what: Carried) => boolean; put: (what: Carried, where: Where) => void },
): Where | null {
  const [over, setOver] = useState<Where | null>(null)
  const taken = useEffectEvent(takes)
  const dropped = useEffectEvent(put)
  useEffect(() => {
    const { current: element } = box
    if (!element) return
    type DropEvent = {
      self: { element: Element; data: Record<string | symbol, unknown> }
      location: { current: { dropTargets: { element: Element }[] } }
    }
    const where = ({ self, location }: DropEvent) =>
      location.current.dropTargets[0]?.element === element ? ((extractClosestEdge(self.data) ?? 'on') as Where) : null
    return dropTargetForElements({
      element,
      canDrop: ({ source }) => taken(source.data as Carried),
      getData: ({ input }) => (edges ? attachClosestEdge({}, { input, element, allowedEdges: allowedEdges[edges] }) : {}),
      onDrag: (event) => setOver(where(event)),
      onDragLeave: () => setOver(null),
      onDrop(event) {
        const at = where(event)
        setOver(null)
        if (at) dropped(event.source.data as Carried, at)
      },
    })
  }, [box, edges])
  return over
}
