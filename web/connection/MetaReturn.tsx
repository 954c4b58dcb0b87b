import { useEffect, useState } from 'react'
import { translate } from '#web/i18n.ts'
import { toast } from '#web/ui/toaster.ts'
import { cloudWords } from './cloud-words.ts'
import { type Back, backFromMeta, forgetBack } from './metaLogin.ts'
import { PagesDialog } from './PagesDialog.tsx'

/** The return from Meta's login: a choice of pages, or a toast if it was refused. */
export function MetaReturn({ may }: { may: boolean }) {
  const [back, setBack] = useState(() => takeBack(may))
  useEffect(() => {
    if (back === 'refused') toast(translate(cloudWords, 'loginRefused'), 'warning')
  }, [back])
  return back !== null && back !== 'refused' && <PagesDialog {...back} onClose={() => setBack(null)} />
}

/** Takes the parameters out of the address before the dialog adds its history entry, because Back would return to them. */
function takeBack(may: boolean): Back | null {
  const back = may ? backFromMeta() : null
  forgetBack()
  return back
}
