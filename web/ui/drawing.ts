import UPlot from 'uplot'

/** A point of the x axis, with a short label for the axis and a long one for reading. */
export type Point = { short: string; long: string }
/** `colour`: a token of the theme. A null value is unknown. */
export type Series = { name: string; colour: `--${string}`; shape: 'bars' | 'line' | 'dashes'; values: (number | null)[] }
export type ChartOf = {
  title: string
  /** What the points are, such as days. */
  along: string
  points: Point[]
  series: Series[]
  /** Formats a value: `write` for reading, `mark` for the narrow axis. */
  write: (value: number) => string
  mark?: (value: number) => string
  /** The values are counts, so the axis has no fractions. */
  whole?: boolean
  /** Minimum top of the axis, so that small values look small. */
  least?: number
  /** The points that may have a label on the axis, if not all. */
  labelled?: number[]
  /** Explanation of the chart. */
  hint?: string
}

export const tell = (value: number | null | undefined, write: (value: number) => string) => (value == null ? '–' : write(value))

/** Resolves a token of the theme to its current value. */
type Token = (name: string) => string

const font = '11px ui-sans-serif, system-ui, sans-serif'
const letter = 6.5
/** With more points a line is drawn without dots. */
const mostDots = 120
const wholes = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 20_000, 50_000, 100_000, 200_000, 500_000, 1_000_000]

/** Points are side by side, each with room for its bar; values start at zero. */
export function scales({ points, least = 1 }: ChartOf, visible: Series[]): UPlot.Scales {
  const top = Math.max(least, ...visible.flatMap(({ values }) => values.map((value) => value ?? 0)))
  return { x: { time: false, range: [-0.6, points.length - 0.4] }, y: { range: [0, top * 1.08] } }
}

export function axes({ points, write, mark = write, whole, labelled = points.map((_, i) => i) }: ChartOf, token: Token): UPlot.Axis[] {
  const widest = Math.max(...points.map(({ short }) => short.length)) * letter + 14
  const look = { stroke: token('--text-3'), font, ticks: { show: false }, grid: { stroke: token('--line'), width: 1 } }
  return [
    {
      ...look,
      ...{ size: 26, gap: 6, grid: { show: false } },
      splits: ({ width }) => {
        const step = Math.max(1, Math.ceil((labelled.length * widest) / Math.max(1, width - 50)))
        return labelled.filter((_, i) => (labelled.length - 1 - i) % step === 0) // the last one always has a label
      },
      values: (_, at) => at.map((i) => points[i]?.short ?? ''),
    },
    {
      ...look,
      ...{ gap: 6, space: 36 },
      size: (_, values) => 12 + letter * Math.max(2, ...(values ?? []).map((value) => String(value).length)),
      values: (_, at) => at.map((value) => mark(value)),
      ...(whole && { incrs: wholes }),
    },
  ]
}

export function drawn({ colour, shape }: Series, token: Token): UPlot.Series {
  const stroke = token(colour)
  if (shape === 'bars')
    return { stroke, fill: stroke, width: 0, paths: UPlot.paths.bars!({ size: [0.62, 36], radius: 0.12 }), points: { show: false } }
  return {
    stroke,
    width: 2,
    points: { show: (_plot, _series, from, to) => to - from < mostDots, size: 5, fill: stroke },
    ...(shape === 'dashes' && { dash: [5, 4] }),
  }
}
