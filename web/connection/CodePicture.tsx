import { encode } from 'uqr'
import { useWords } from '#web/i18n.ts'
import css from './Connections.module.css'
import { connectionWords } from './words.ts'

/** A QR code for a phone camera: dark on white in every theme, with the required margin. */
export function CodePicture({ code }: { code: string }) {
  const t = useWords(connectionWords)
  const { data, size } = encode(code, { ecc: 'L', border: 3 })
  const dots = data.flatMap((line, y) => line.flatMap((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : [])))
  return (
    <svg role="img" aria-label={t('codePicture')} className={css.picture} viewBox={`0 0 ${size} ${size}`} shapeRendering="crispEdges">
      <title>{t('codePicture')}</title>
      <rect width={size} height={size} fill="#fff" />
      <path d={dots.join('')} fill="#000" />
    </svg>
  )
}
