import { useEffect, useState } from 'react'
import { translate } from '#web/i18n.ts'
import { toast } from '#web/ui/toaster.ts'
import { cloudWords } from './cloud-words.ts'
import { forgetMetaAnswer, metaAnswer } from './metaLogin.ts'
import { PagesDialog } from './PagesDialog.tsx'

/** The return from Meta's login: a choice of pages, or a toast if it was refused. */
export function MetaReturn({ may }: { may: boolean }) {
  const [answer, setAnswer] = useState(() => (may ? metaAnswer() : null))
  useEffect(() => {
    forgetMetaAnswer()
    if (answer === 'refused') toast(translate(cloudWords, 'loginRefused'), 'warning')
  }, [answer])
  return answer !== null && answer !== 'refused' && <PagesDialog {...answer} onClose={() => setAnswer(null)} />
}
