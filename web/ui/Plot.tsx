import { useEffect, useRef } from 'react'
import UPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import { axes, type ChartOf, drawn, scales } from './drawing.ts'

/** The hovered point and its distance from the left edge. */
export type Pointed = { index: number; left: number } | null

/** Draws a chart in the colours of the theme at mount time, as wide as the room allows. */
export function Plot({
  of,
  hidden,
  mark,
  onPoint,
}: {
  of: ChartOf
  hidden: string[]
  mark: number | null
  onPoint: (at: Pointed) => void
}) {
  const room = useRef<HTMLDivElement>(null)
  const plotted = useRef<UPlot | null>(null)
  const marked = useRef(mark)
  useEffect(() => {
    marked.current = mark
    plotted.current?.redraw(false)
  }, [mark])
  useEffect(() => {
    const frame = room.current
    if (!frame) return
    const visible = of.series.filter(({ name }) => !hidden.includes(name))
    const token = (name: string) => getComputedStyle(frame).getPropertyValue(name).trim()
    const size = () => ({ width: frame.clientWidth, height: 180 })
    const pointed = ({ cursor: { idx, left = -1 }, bbox }: UPlot) =>
      onPoint(idx == null || left < 0 ? null : { index: idx, left: left + bbox.left / UPlot.pxRatio })
    const plot = new UPlot(
      {
        ...{ ...size(), legend: { show: false }, padding: [8, 8, 0, 0], scales: scales(of, visible), axes: axes(of, token) },
        cursor: { y: false, drag: { x: false, y: false }, points: { size: 7 } },
        series: [{}, ...visible.map((one) => drawn(one, token))],
        hooks: { setCursor: [pointed], draw: [(one) => drawMark(one, marked.current, token('--text-2'))] },
      },
      [of.points.map((_, i) => i), ...visible.map(({ values }) => values)],
      frame,
    )
    plotted.current = plot
    const watch = new ResizeObserver(() => plot.setSize(size()))
    watch.observe(frame)
    return () => {
      watch.disconnect()
      plot.destroy()
      plotted.current = null
    }
  }, [of, hidden, onPoint])
  return <div ref={room} aria-hidden />
}

/** A vertical line at a point. */
function drawMark({ ctx, bbox: { top, height }, valToPos }: UPlot, point: number | null, colour: string): void {
  if (point === null) return
  const x = Math.round(valToPos(point, 'x', true))
  ctx.save()
  ctx.strokeStyle = colour
  ctx.lineWidth = 2 * UPlot.pxRatio
  ctx.beginPath()
  ctx.moveTo(x, top)
  ctx.lineTo(x, top + height)
  ctx.stroke()
  ctx.restore()
}
