import { useEffect, useRef } from 'react'
import UPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import { axes, type ChartOf, drawn, scales } from './drawing.ts'

/** The hovered point and its distance from the left edge. */
export type Pointed = { index: number; left: number } | null

/** Draws a chart in the colours of the theme at mount time, as wide as the room allows. */
export function Plot({ of, hidden, onPoint }: { of: ChartOf; hidden: string[]; onPoint: (at: Pointed) => void }) {
  const room = useRef<HTMLDivElement>(null)
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
        hooks: { setCursor: [pointed] },
      },
      [of.points.map((_, i) => i), ...visible.map(({ values }) => values)],
      frame,
    )
    const watch = new ResizeObserver(() => plot.setSize(size()))
    watch.observe(frame)
    return () => {
      watch.disconnect()
      plot.destroy()
    }
  }, [of, hidden, onPoint])
  return <div ref={room} aria-hidden />
}
