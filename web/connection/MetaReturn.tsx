import { useEffect, useState } from 'react'
import { translate } from '#web/i18n.ts'
import { toast } from '#web/ui/toaster.ts'
import { cloudWords } from './cloud-words.ts'
import { type Back, backFromMeta, forgetBack } from './metaLogin.ts'
import { PagesDialog } from './PagesDialog.tsx'

/** The return from Meta's login: a choice of pages, or a toast if it was refused. */
export function MetaReturn({ may }: { may: boolean }) {
  const [back, setBack] = useState<Exclude<Back, 'refused'> | null>(null)
  useEffect(() => {
    const given = may ? backFromMeta() : null
    forgetBack() // before the dialog adds its entry to the history, because Back would return to these parameters
    if (given === 'refused') toast(translate(cloudWords, 'loginRefused'), 'warning')
    else if (given !== null) setBack(given)
  }, [may])
  return back !== null && <PagesDialog {...back} onClose={() => setBack(null)} />
}
