import { Overlay2, type Overlay2Props } from '@blueprintjs/core'
import { useBackCloses } from './back-navigation.ts'

/** The base of every overlay that is not a dialog. It is open while it is mounted; Escape and Back close it. */
export function Overlay(props: Omit<Overlay2Props, 'isOpen'> & { onClose: () => void }) {
  useBackCloses(true, props.onClose)
  return <Overlay2 {...props} isOpen />
}
