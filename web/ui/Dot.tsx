import css from './Dot.module.css'

/** The colour of a queue or tag before its name. */
export const Dot = ({ color }: { color: string }) => <i className={css.dot} style={{ background: color }} />
