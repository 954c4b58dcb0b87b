import { useAtomValue } from 'jotai'
import { useWords } from '#web/i18n.ts'
import { Avatar } from '#web/ui/Avatar.tsx'
import css from './Demo.module.css'
import { type DemoSignIn, demoAtom } from './demo.ts'
import { loginWords, roleWords } from './words.ts'

export function Demo({ busy, onChoose }: { busy: boolean; onChoose: (one: DemoSignIn) => void }) {
  const t = useWords(loginWords)
  const tRole = useWords(roleWords)
  const some = useAtomValue(demoAtom)
  if (some.length === 0) return null
  return (
    <section className={css.demo} data-part="login-demo" aria-label={t('demo')}>
      <p>{t('demo')}</p>
      <ul>
        {some.map((one) => (
          <li key={one.email}>
            <button type="button" disabled={busy} onClick={() => onChoose(one)} title={one.email}>
              <Avatar name={one.name} size={24} />
              <span>{one.name}</span>
              <small>{one.role in roleWords ? tRole(one.role as keyof typeof roleWords) : one.role}</small>
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}
