import { useEffect, useMemo } from 'react'

/** The address of a file that was chosen, as long as it is shown. */
export function useObjectUrl(file: File | null): string | null {
  const url = useMemo(() => file && URL.createObjectURL(file), [file])
  useEffect(() => () => void (url && URL.revokeObjectURL(url)), [url])
  return url
}
