import { useEffect, useMemo } from 'react'

/** The object URL of a chosen file, revoked when it is no longer shown. */
export function useObjectUrl(file: File | null): string | null {
  const url = useMemo(() => file && URL.createObjectURL(file), [file])
  useEffect(() => () => void (url && URL.revokeObjectURL(url)), [url])
  return url
}
