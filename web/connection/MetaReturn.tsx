import { useEffect, useState } from 'react'
import { translate } from '#web/i18n.ts'
import { toast } from '#web/ui/toaster.ts'
import { cloudWords } from './cloud-words.ts'
import { backFromMeta, forgetBack } from './metaLogin.ts'
import { PagesDialog } from './PagesDialog.tsx'

/** The return from Meta's login: a choice of pages, or a toast if it was refused. */
export function MetaReturn({ may }: { may: boolean }) {
  const [back, setBack] = useState(() => (may ? backFromMeta() : null))
  useEffect(() => {
    forgetBack()
    if (back === 'refused') toast(translate(cloudWords, 'loginRefused'), 'warning')
  }, [back])
  return back !== null && back !== 'refused' && <PagesDialog {...back} onClose={() => setBack(null)} />
}
