import { useEffect, useState } from 'react'
import type { UserDetail } from '#domain/user/contract.ts'
import { api } from '#web/api.ts'
import { useMe } from '#web/session.ts'
import { toastFailure } from '#web/ui/toaster.ts'
import { UserForm } from './UserForm.tsx'

/** The user's own profile, loaded again each time it opens. */
export function ProfileDialog({ onClose }: { onClose: () => void }) {
  const { id } = useMe()
  const [row, setRow] = useState<UserDetail | null>(null)
  useEffect(() => {
    api.users.find({ params: { id } }).then(setRow, (error) => {
      toastFailure(error)
      onClose()
    })
  }, [id, onClose])
  return row && <UserForm of={row} onClose={onClose} />
}
