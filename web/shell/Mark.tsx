import css from './Mark.module.css'

/** The logo: an arched counter window with a person behind it. */
export const Mark = ({ size = 28 }: { size?: number }) => (
  <svg className={css.mark} width={size} height={size} viewBox="0 0 64 64" aria-hidden="true">
    <rect width="64" height="64" rx="15" className={css.ground} />
    <g fill="none" className={css.line} strokeWidth="5" strokeLinecap="round">
      <path d="M14 48V30a18 18 0 0 1 36 0v18" />
      <path d="M9.500 48h45" />
    </g>
    <circle cx="32" cy="33" r="6.500" className={css.dot} />
  </svg>
)
