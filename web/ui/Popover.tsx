import { PopoverNext, type PopoverNextProps } from '@blueprintjs/core'
import { useBackCloses } from './back-navigation.ts'
import { touched } from './touched.ts'

type Props = Omit<PopoverNextProps, 'isOpen' | 'onInteraction' | 'defaultIsOpen'> & {
  open: boolean
  onOpenChange: (open: boolean) => void
}
/** The base of every popover. On a touch screen Back closes it, like a dialog; a mouse closes it by a click elsewhere. */
export function Popover({ open, onOpenChange, ...props }: Props) {
  useBackCloses(touched && open, () => onOpenChange(false))
  return <PopoverNext {...props} arrow={false} isOpen={open} onInteraction={onOpenChange} />
}
